import { spawn as spawnProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { spawn as spawnInTerminal } from '@lydell/node-pty';
import { inject } from 'vitest';
import { eraseLine } from '../../cli/output/terminal.ts';
import { hangMs } from './hang.ts';
import { type Ended, runWarm } from './warm-commands.ts';

type Variables = Readonly<Record<string, string>>;

export interface RunOptions {
  readonly env?: Variables;
  readonly cwd?: string;
  readonly stdin?: string;
}

export interface TerminalOptions {
  readonly env?: Variables;
  readonly columns?: number;
  /** The file for standard output, in place of the terminal. */
  readonly stdout?: string;
}

/** A command in a pseudo-terminal. */
export interface TerminalRun {
  /** The output so far, without colours. */
  readonly screen: () => string;
  /** The output so far without overwritten lines, such as progress. */
  readonly page: () => string;
  /** The output so far, with control sequences. */
  readonly raw: () => string;
  /** Waits for this text, after the text of the previous wait. */
  readonly shows: (expected: string) => Promise<void>;
  readonly type: (keys: string) => void;
  readonly end: () => Promise<number>;
}

/** The bundled command line in its own home folder. */
export class CommandLine {
  readonly folder: string;
  readonly bundle: string;
  readonly environment: Variables;

  private constructor(folder: string, environment: Variables) {
    this.folder = folder;
    this.bundle = join(folder, 'bin', 'registry.mjs');
    const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
    this.environment = { PATH, NODE_COMPILE_CACHE, HOME: folder, ...environment };
  }

  static install(environment: Variables = {}): CommandLine {
    const folder = mkdtempSync(join(tmpdir(), 'registry-cli-test-'));
    // Node's compile cache depends on the path of the program.
    symlinkSync(inject('commandLine'), join(folder, 'bin'));
    return new CommandLine(folder, environment);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }

  start(args: readonly string[], { env, cwd }: RunOptions = {}) {
    return spawnProcess(process.execPath, [this.bundle, ...args], {
      cwd: cwd ?? this.folder,
      env: { ...this.environment, ...env },
    });
  }

  /** Runs a command in a shared process, one command after the other. */
  run(args: readonly string[], { env, cwd, stdin = '' }: RunOptions = {}): Promise<Ended> {
    const environment = { ...this.environment, ...env };
    return runWarm({ args: [...args], env: environment, cwd: cwd ?? this.folder, stdin });
  }

  /** Runs a command in a separate process, from the published file. */
  async runAlone(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
    const child = this.start(args, options);
    child.stdin.end(options.stdin ?? '');
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { code, stdout, stderr };
  }

  inTerminal(args: readonly string[], options: TerminalOptions = {}): TerminalRun {
    const { env, columns = 120, stdout } = options;
    const command = [process.execPath, this.bundle, ...args];
    const redirected = ['/bin/sh', '-c', `exec "$@" > '${stdout}'`, 'sh', ...command];
    const [program = '', ...rest] = stdout === undefined ? command : redirected;
    const child = spawnInTerminal(program, rest, {
      cols: columns,
      rows: 40,
      cwd: this.folder,
      env: { TERM: 'xterm-256color', ...this.environment, ...env },
    });
    return observe(child);
  }
}

const observe = (child: ReturnType<typeof spawnInTerminal>): TerminalRun => {
  let raw = '';
  let seen = 0;
  let look: () => void = () => {};
  const ended = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
  const screen = (): string => stripVTControlCharacters(raw).replaceAll('\r', '');
  const page = (): string => {
    const erased = new RegExp(`[^\\n]*${eraseLine.replace('[', '\\[')}`, 'g');
    return stripVTControlCharacters(raw.replace(erased, '')).replaceAll('\r', '');
  };
  child.onData((data) => {
    raw += data;
    look();
  });
  const shows = (expected: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const complain = (): void => reject(new Error(`Not shown: ${expected}\n${screen()}`));
      const timer = setTimeout(complain, hangMs);
      look = () => {
        const at = screen().indexOf(expected, seen);
        if (at < 0) return;
        seen = at + expected.length;
        clearTimeout(timer);
        resolve();
      };
      look();
    });
  return {
    raw: () => raw,
    screen,
    page,
    shows,
    type: (keys) => child.write(keys),
    end: () => ended,
  };
};
