/**
 * Embedded DynamoDB engine: a child process with a database file or an in-memory database. It ends with this process.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findFreePort, loopback } from '../loopback.ts';
import { StartError } from '../start-error.ts';
import { guardChild } from '../watchdog/watchdog.ts';

/** Thrown if the engine cannot start, or if it ends unexpectedly. */
export class EngineError extends StartError {
  override name = 'EngineError';
}

export interface Engine {
  /** URL of the engine, such as `http://127.0.0.1:8000`. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

export interface EngineOptions {
  /** Database file. Absent: in memory. */
  readonly file?: string;
  /** Called when the engine ends without a call of `stop`. */
  readonly onFailure: (error: EngineError) => void;
}

const portAttempts = 5;

/**
 * Limits for start and stop of the engine before it is killed, in milliseconds. They are high, because a busy machine
 * is slow.
 */
const startMs = 60_000;
const stopMs = 10_000;

/** Returns the binary that is installed for this platform, or else the command's name on the PATH. */
export const findEngineCommand = (): string => {
  const binary = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    const manifest = `@dynoxide/${process.platform}-${process.arch}/package.json`;
    return join(dirname(createRequire(import.meta.url).resolve(manifest)), binary);
  } catch {
    return binary;
  }
};

/** True if an engine is installed for this platform or is on the PATH. */
export const hasEngine = (): boolean =>
  spawnSync(findEngineCommand(), ['--version']).error === undefined;

/** Thrown if no engine is installed for this platform, and none is on the PATH. */
class MissingEngineError extends EngineError {
  constructor() {
    super(
      `no DynamoDB engine for ${process.platform}-${process.arch}: put dynoxide on the PATH, or ` +
        'give the address of a running DynamoDB Local as dynamodbEndpoint',
    );
  }
}

/** Resolves once the engine listens. @throws {EngineError} with the engine's output if the engine ends instead */
const waitUntilListening = (child: ChildProcess): Promise<void> => {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), startMs);
    child.stderr?.setEncoding('utf8').on('data', (words: string) => {
      said += words;
      if (!said.includes('listening')) return;
      clearTimeout(timer);
      // Later output is not needed, but an unread pipe would block the engine.
      child.stderr?.removeAllListeners('data').resume();
      resolve();
    });
    child.once('error', () => reject(new MissingEngineError()));
    child.once('close', () => {
      clearTimeout(timer);
      reject(new EngineError(`the DynamoDB engine does not start: ${said.trim()}`));
    });
  });
};

const stopChild = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMs);
  child.kill('SIGTERM');
  await exited;
  clearTimeout(timer);
};

const spawnEngine = async ({ file }: EngineOptions, port: number): Promise<ChildProcess> => {
  const where = file === undefined ? [] : ['--db-path', file];
  const child = spawn(
    findEngineCommand(),
    ['serve', '--host', loopback, '--port', String(port), ...where],
    { detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  guardChild(child);
  await waitUntilListening(child);
  return child;
};

/** Starts the engine on a free port. It tries again if another program takes the port first. */
const spawnOnFreePort = async (
  options: EngineOptions,
  attempts = portAttempts,
): Promise<{ child: ChildProcess; port: number }> => {
  const port = await findFreePort(0);
  try {
    return { child: await spawnEngine(options, port), port };
  } catch (error) {
    const isTaken = error instanceof EngineError && error.message.includes('in use');
    if (isTaken && attempts > 1) return spawnOnFreePort(options, attempts - 1);
    throw error;
  }
};

/**
 * Starts the engine on a free port.
 * @throws {EngineError} if there is no engine for this platform, or if it cannot use the file
 */
export const startEngine = async (options: EngineOptions): Promise<Engine> => {
  const { child, port } = await spawnOnFreePort(options);
  const fail = (code: number | null, signal: string | null): void =>
    options.onFailure(new EngineError(`the DynamoDB engine ended: ${signal ?? `code ${code}`}`));
  child.once('exit', fail);
  return {
    endpoint: `http://${loopback}:${port}`,
    stop: () => {
      child.off('exit', fail);
      return stopChild(child);
    },
  };
};
