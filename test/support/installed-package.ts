import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { packInto } from '../../cli/release/pack.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { Ended } from './warm-commands.ts';

/** A program and its compiler errors; none for a valid program. */
export interface CompiledProgram {
  readonly file: string;
  readonly complaints: string;
}

/** The package in an empty folder, without access to the project and to the network. */
export interface InstalledPackage {
  readonly folder: string;
  readonly tarball: string;
  /** The folder of its files. */
  readonly home: string;
  /** The text of each of its files. */
  readonly files: Readonly<Record<string, string>>;
  /** Runs a program in the folder. */
  readonly run: (command: string, ...args: readonly string[]) => Promise<Ended>;
  /** Runs the installed command. */
  readonly runRegistry: (...args: readonly string[]) => Promise<Ended>;
  /** Compiles a program in a separate folder beside the package. */
  readonly compile: (name: string, source: string, settings: object) => CompiledProgram;
  readonly remove: () => void;
}

const buildEnvironment = (folder: string): NodeJS.ProcessEnv => ({
  PATH: [dirname(process.execPath), join(folder, 'global', 'bin'), process.env['PATH']].join(
    delimiter,
  ),
  HOME: folder,
  npm_config_cache: join(folder, 'cache'),
  npm_config_prefix: join(folder, 'global'),
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
});

const runIn = async (folder: string, command: string, args: readonly string[]): Promise<Ended> => {
  const child = spawn(command, args, { cwd: folder, env: buildEnvironment(folder) });
  child.stdin.end();
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
};

const compileIn = (folder: string, source: string, settings: object): CompiledProgram => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'program.ts'), source);
  const tsconfig = { ...settings, include: [], files: ['program.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  const args = [resolve('node_modules/typescript/bin/tsc'), '--project', folder];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { file: join(folder, 'program.js'), complaints: stdout };
};

const readFiles = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );

/** Packs the package as `npm run package` does, and installs it. */
export const installPackage = async (): Promise<InstalledPackage> => {
  const folder = mkdtempSync(join(tmpdir(), 'registry-package-test-'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const tarball = await packInto(folder);
  const { code, stderr } = await runIn(folder, 'npm', ['install', tarball]);
  if (code !== 0) throw new Error(stderr);
  const modules = join(folder, 'node_modules');
  const home = join(modules, packageJson.name);
  return {
    folder,
    tarball,
    home,
    files: readFiles(home),
    run: (command, ...args) => runIn(folder, command, args),
    runRegistry: (...args) => runIn(folder, join(modules, '.bin', 'registry'), args),
    compile: (name, source, settings) => compileIn(join(folder, name), source, settings),
    remove: () => rmSync(folder, { recursive: true }),
  };
};
