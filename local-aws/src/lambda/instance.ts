/** Running instance of a function: a process that answers one event at a time. */
import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { LambdaFunction } from '../template/model.ts';
import { guardChild } from '../watchdog/watchdog.ts';
import { type FunctionMessage, InvocationError, type InvokeMessage } from './messages.ts';

export interface Instance {
  /** Resolves once the handler is loaded. Rejects with an InvocationError if the handler cannot be loaded. */
  readonly ready: Promise<void>;
  /** True if the process has ended or is being killed. */
  isGone(): boolean;
  /** Sends one event. Resolves to the result as JSON, or rejects with an InvocationError. */
  invoke(message: InvokeMessage): Promise<string>;
  /** Kills the process. An invocation in progress fails. */
  kill(): Promise<void>;
}

/** Output stream of a log line. */
export type Output = 'stdout' | 'stderr';

export interface InstanceOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly onLine: (line: string, output: Output) => void;
}

const program = fileURLToPath(new URL('./runtime.ts', import.meta.url));

/** Limit for loading a function, in seconds. It is higher than Lambda's, because a busy machine is slower. */
const initSeconds = 60;

/** Fraction of a function's memory for Node's heap, as in Lambda's runtime. */
const heapShare = 0.9;

const forkRuntime = (
  { memoryMb }: LambdaFunction,
  { environment }: InstanceOptions,
): ChildProcess =>
  fork(program, [], {
    detached: true,
    env: { ...environment },
    execArgv: [`--max-old-space-size=${Math.floor(memoryMb * heapShare)}`],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });

const readLines = (child: ChildProcess, onLine: InstanceOptions['onLine']): void => {
  for (const output of ['stdout', 'stderr'] as const) {
    const input = child[output];
    if (input) createInterface({ input }).on('line', (line) => onLine(line, output));
  }
};

/**
 * Resolves to the next message from the process, or rejects when the process ends. Only one caller may wait at a time.
 */
const receiveMessage = (child: ChildProcess): Promise<FunctionMessage> =>
  new Promise((resolve, reject) => {
    const onMessage = (message: FunctionMessage): void => {
      child.off('close', onClose);
      resolve(message);
    };
    const onClose = (code: number | null, signal: string | null): void => {
      child.off('message', onMessage);
      reject(makeExitError(code, signal));
    };
    child.once('message', onMessage);
    child.once('close', onClose);
  });

const makeExitError = (code: number | null, signal: string | null): InvocationError => {
  const how = signal === null ? `exit status ${code}` : `signal: ${signal}`;
  return new InvocationError({
    errorType: 'Runtime.ExitError',
    errorMessage: `Runtime exited with error: ${how}`,
  });
};

const waitUntilReady = async (child: ChildProcess): Promise<void> => {
  const timer = setTimeout(() => child.kill('SIGKILL'), initSeconds * 1000);
  try {
    const message = await receiveMessage(child);
    if (message.type === 'init-failed') throw new InvocationError(message.error);
  } finally {
    clearTimeout(timer);
  }
};

const makeTimeoutError = (seconds: number): InvocationError =>
  new InvocationError({
    errorType: 'Sandbox.Timedout',
    errorMessage: `Task timed out after ${seconds.toFixed(2)} seconds`,
  });

/**
 * Sends the event and resolves to its result. Rejects with an InvocationError if the function fails or its process
 * ends.
 */
const exchange = async (child: ChildProcess, message: InvokeMessage): Promise<string> => {
  // A failed send means that the process is ending, which `receiveMessage` reports.
  child.send(message, () => undefined);
  const answer = await receiveMessage(child);
  // The function's earlier output is already in the pipe. Read it first.
  await setImmediate();
  if (answer.type === 'result') return answer.payload;
  throw answer.type === 'error' ? new InvocationError(answer.error) : makeExitError(null, null);
};

/** Starts an instance, which immediately loads the function's code. */
export const startInstance = (target: LambdaFunction, options: InstanceOptions): Instance => {
  const child = forkRuntime(target, options);
  guardChild(child);
  readLines(child, options.onLine);
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let gone = false;
  child.once('exit', () => {
    gone = true;
  });
  const kill = (): Promise<void> => {
    gone = true;
    child.kill('SIGKILL');
    return closed;
  };
  const ready = waitUntilReady(child);
  // The invocation that awaits `ready` reports the failure.
  ready.catch(kill);

  const invoke = async (message: InvokeMessage): Promise<string> => {
    if (gone) throw makeExitError(child.exitCode, child.signalCode);
    let overdue = false;
    const timer = setTimeout(() => {
      overdue = true;
      void kill();
    }, message.deadline - Date.now());
    try {
      return await exchange(child, message);
    } catch (error) {
      const failure = overdue ? makeTimeoutError(target.timeoutSeconds) : error;
      if (gone) options.onLine(`RequestId: ${message.requestId} ${String(failure)}`, 'stderr');
      throw failure;
    } finally {
      clearTimeout(timer);
    }
  };
  return { ready, isGone: () => gone, invoke, kill };
};
