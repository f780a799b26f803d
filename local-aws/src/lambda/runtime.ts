/**
 * Process of one function instance. It imports the bundle's handler as Lambda's Node.js runtime does, and answers events
 * sequentially. It is a child process with only the function's own environment.
 */
import { existsSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { env as environment } from 'node:process';
import { pathToFileURL } from 'node:url';
import { functionArn } from '../template/names.ts';
import {
  type FunctionMessage,
  type InvokeMessage,
  maxPayloadBytes,
  type ReportedError,
} from './messages.ts';

type Handler = (event: unknown, context: object) => unknown;

const say = (message: FunctionMessage): void => {
  process.send?.(message);
};

const report = (error: unknown): ReportedError => {
  if (!(error instanceof Error)) {
    return { errorType: typeof error, errorMessage: String(error), trace: [] };
  }
  return {
    errorType: error.name,
    errorMessage: error.message,
    trace: error.stack?.split('\n') ?? [],
  };
};

/** Resolves to the handler: `index.handler` is the export `handler` of `index.mjs`, `index.js` or `index.cjs`. */
const loadHandler = async (): Promise<Handler> => {
  const [file = '', name = ''] = (environment['_HANDLER'] ?? '').split('.');
  const root = environment['LAMBDA_TASK_ROOT'] ?? '';
  const path = ['.mjs', '.js', '.cjs']
    .map((extension) => join(root, file + extension))
    .find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`Cannot find module '${file}' in ${root}`);
  const bundle: Record<string, unknown> = await import(pathToFileURL(path).href);
  const handler = bundle[name];
  if (typeof handler !== 'function') {
    throw new Error(`${file}.${name} is undefined or not exported`);
  }
  return handler as Handler;
};

const makeContext = ({ requestId, deadline }: InvokeMessage): object => ({
  awsRequestId: requestId,
  callbackWaitsForEmptyEventLoop: true,
  functionName: environment['AWS_LAMBDA_FUNCTION_NAME'],
  functionVersion: environment['AWS_LAMBDA_FUNCTION_VERSION'],
  getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  invokedFunctionArn: functionArn(environment['AWS_LAMBDA_FUNCTION_NAME'] ?? ''),
  logGroupName: `/aws/lambda/${environment['AWS_LAMBDA_FUNCTION_NAME']}`,
  logStreamName: 'local',
  memoryLimitInMB: environment['AWS_LAMBDA_FUNCTION_MEMORY_SIZE'],
});

/** Resolves to the handler's result as JSON. A result without a JSON form becomes null, as in Lambda. */
const runHandler = async (handler: Handler, message: InvokeMessage): Promise<string> => {
  const result = await handler(JSON.parse(message.event), makeContext(message));
  const payload = JSON.stringify(result) ?? 'null';
  const bytes = Buffer.byteLength(payload);
  if (bytes > maxPayloadBytes) {
    const error = new Error(
      `Response payload size exceeded maximum allowed payload size (${maxPayloadBytes} bytes).`,
    );
    error.name = 'Function.ResponseSizeTooLarge';
    throw error;
  }
  return payload;
};

const invoke = async (handler: Handler, message: InvokeMessage): Promise<void> => {
  const { requestId } = message;
  try {
    say({ type: 'result', requestId, payload: await runHandler(handler, message) });
  } catch (cause) {
    const error = report(cause);
    console.error(`${requestId}\tERROR\tInvoke Error\t${JSON.stringify(error)}`);
    say({ type: 'error', requestId, error });
  }
};

// The parent process has ended, so there is no receiver for a result.
process.on('disconnect', () => process.exit());

// Node.js has read the variable at its start, and the function must not see it.
delete environment['NODE_COMPILE_CACHE'];

try {
  const handler = await loadHandler();
  process.on('message', (message: InvokeMessage) => void invoke(handler, message));
  say({ type: 'ready' });
  flushCompileCache();
} catch (cause) {
  const error = report(cause);
  console.error(error.trace?.join('\n') || error.errorMessage);
  say({ type: 'init-failed', error });
}
