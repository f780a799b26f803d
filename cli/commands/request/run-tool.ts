import { spawn } from 'node:child_process';
import { UsageError } from '../../input/usage-error.ts';
import { toPrintable } from '../../output/text.ts';
import { makeToolVariables } from '../../session/environment.ts';

/** How long a package manager may take, in milliseconds. */
const longestMs = 5 * 60_000;

/** The last characters of its output that are kept, for example for an error message. */
const keptCharacters = 2000;

interface ToolOptions {
  readonly cwd: string;
  /** The address of the gate, which is no index for a resolution. */
  readonly gate: string;
  readonly signal: AbortSignal;
  /** Variables that replace variables of the environment. */
  readonly variables?: Readonly<Record<string, string>>;
}

const how: Readonly<Record<string, string>> = {
  npm: 'It comes with Node.js.',
  uv: 'pip install uv installs it.',
  mvn: 'It is Apache Maven.',
};

/** Returns the standard output of a command; an abort signal or a time limit ends it. */
const run = (
  command: string,
  args: readonly string[],
  { cwd, gate, signal, variables }: ToolOptions,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...makeToolVariables(gate), ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
      killSignal: 'SIGKILL',
    });
    let [output, printed] = ['', ''];
    const addLast = (before: string, chunk: Buffer): string =>
      (before + chunk.toString('utf8')).slice(-keptCharacters);
    child.stdout.on('data', (chunk: Buffer) => {
      output = addLast(output, chunk);
      printed = addLast(printed, chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      output = addLast(output, chunk);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`${command} failed:\n${toPrintable(output.trim())}`));
    });
  });

/**
 * Runs a package manager without a shell. Returns the end of its standard output.
 * @throws {UsageError} if it is not installed
 * @throws {Error} with its last output if it fails
 */
export const runTool = async (
  command: string,
  args: readonly string[],
  options: ToolOptions,
): Promise<string> => {
  try {
    return await run(command, args, options);
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') {
      throw new UsageError(`The program ${command} is not installed. ${how[command] ?? ''}`.trim());
    }
    const isOverdue = name === 'AbortError' && !options.signal.aborted;
    throw isOverdue ? new Error(`${command} took longer than 5 minutes.`) : error;
  }
};
