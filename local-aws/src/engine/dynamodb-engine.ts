/** The embedded DynamoDB engine: one process, on a file or in memory, that ends with this one. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findFreePort, loopback } from '../loopback.ts';
import { StartError } from '../start-error.ts';
import { guardChild } from '../watchdog/watchdog.ts';

/** No engine can run here, or it ended by itself. */
export class EngineError extends StartError {
  override name = 'EngineError';
}

export interface Engine {
  /** Where it answers, such as `http://127.0.0.1:8000`. */
  readonly endpoint: string;
  stop(): Promise<void>;
}

export interface EngineOptions {
  /** The database file; absent: in memory. */
  readonly file?: string;
  /** Called when the engine ends without having been stopped. */
  readonly onFailure: (error: EngineError) => void;
}

const portAttempts = 5;

/** How long an engine may take to listen, and to end, before it is killed: a machine with other work is slow. */
const startMs = 60_000;
const stopMs = 10_000;

/** The binary that was installed for this platform, else whatever the PATH has. */
export const findEngineCommand = (): string => {
  const binary = process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide';
  try {
    const manifest = `@dynoxide/${process.platform}-${process.arch}/package.json`;
    return join(dirname(createRequire(import.meta.url).resolve(manifest)), binary);
  } catch {
    return binary;
  }
};

/** Whether there is an engine for this platform, or one on the PATH. */
export const hasEngine = (): boolean =>
  spawnSync(findEngineCommand(), ['--version']).error === undefined;

/** None was installed for this platform, and the PATH has none. */
class MissingEngineError extends EngineError {
  constructor() {
    super(
      `no DynamoDB engine for ${process.platform}-${process.arch}: put dynoxide on the PATH, or ` +
        'give the address of a running DynamoDB Local as dynamodbEndpoint',
    );
  }
}

/** Resolves once the engine says that it listens. @throws {EngineError} with its own words when it ends instead */
const waitUntilListening = (child: ChildProcess): Promise<void> => {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), startMs);
    child.stderr?.setEncoding('utf8').on('data', (words: string) => {
      said += words;
      if (!said.includes('listening')) return;
      clearTimeout(timer);
      // What it says from now on is of no use, but has to be read.
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

/** Another program may take the free port before the engine does. */
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
 * @throws {EngineError} when there is none for this platform, or when it cannot use the file
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
