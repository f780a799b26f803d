/** Runs a package manager with an environment of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** Folder of the project. */
  readonly cwd: string;
  /** Home folder, whose settings and caches are empty. */
  readonly home: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Time limit of one command, also on a busy machine. */
const limitMs = 15 * 60_000;
const shownBytes = 4000;

/** Variables of this process without which programs do not start. */
const inherited = ['PATH', 'TMPDIR', 'LANG', 'JAVA_HOME'];

const makeEnvironment = ({ home, environment }: Command): Record<string, string> => ({
  ...Object.fromEntries(
    inherited.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  ),
  HOME: home,
  CI: 'true',
  ...environment,
});

/**
 * Runs a command, and returns its milliseconds by the clock.
 * @throws {Error} with the end of its output, if it fails or exceeds the time limit
 */
export const runCommand = async (command: Command): Promise<number> => {
  const { program, args, cwd } = command;
  const began = performance.now();
  const child = spawn(program, args, {
    cwd,
    env: makeEnvironment(command),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMs,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-shownBytes);
    });
  }
  const [code, signal] = await once(child, 'close');
  const ms = performance.now() - began;
  if (code === 0) return ms;
  throw new Error(`${program} ${args.join(' ')} ended with ${signal ?? code}:\n${output}`);
};
