/**
 * The one AWS endpoint that functions see. It knows each caller by its access key, allows what the caller's role
 * allows, and only then lets DynamoDB, Secrets Manager or SQS answer.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { EngineAddress } from '../engine/address.ts';
import { answerJson, sendAnswer } from '../http.ts';
import { authenticate, authorize } from '../iam/authorization.ts';
import type { Principals } from '../iam/principals.ts';
import { type ListeningServer, listenOnLoopback } from '../loopback.ts';
import type { SecretsManager } from '../secrets/secrets-manager.ts';
import type { Queues } from '../sqs/queues.ts';
import { askSqs } from '../sqs/sqs.ts';
import { type ApiAnswer, type ApiCall, ApiError, answerError, parseCall } from './api-call.ts';
import { createForwarder, type Forwarder } from './forwarding.ts';

/** A call that a function made and was allowed to make. */
export interface FunctionCall extends ApiCall {
  readonly functionId: string;
}

/**
 * Where tests see and disturb what functions ask of AWS. Each is looked up at each call, so a test may set and clear
 * them while the stack runs.
 */
export interface AwsHooks {
  /** Sees each call before it is answered. An answer given here is sent instead, and the call goes no further. */
  onRequest?: ((call: FunctionCall) => FaultAnswer | Promise<FaultAnswer>) | undefined;
  /** After the call took effect: `drop` closes the connection, so that the caller never learns of it. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only observes returns nothing
  afterForward?: ((call: FunctionCall) => 'drop' | undefined | void) | undefined;
  /** Sees each answer of a service that is sent. */
  onResponse?: ((call: FunctionCall, answer: ApiAnswer) => void) | undefined;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only observes returns nothing
export type FaultAnswer = void | undefined | ApiAnswer;

export interface AwsProxyOptions {
  /** The engine that answers DynamoDB calls. */
  readonly dynamodb: EngineAddress;
  readonly secretsManager: SecretsManager;
  readonly queues: Queues;
  readonly principals: Principals;
  readonly hooks: AwsHooks;
  /** Called when a table may have changed. */
  readonly onWrite: () => void;
}

const writeOperations = [
  'BatchWriteItem',
  'DeleteItem',
  'PutItem',
  'TransactWriteItems',
  'UpdateItem',
];

type Services = Pick<AwsProxyOptions, 'secretsManager' | 'queues'> & {
  /** Passes the call on to the engine. */
  readonly forward: () => Promise<ApiAnswer>;
};

const ask = async (
  { service, operation, body }: ApiCall,
  { secretsManager, queues, forward }: Services,
): Promise<ApiAnswer> => {
  switch (service) {
    case 'secretsmanager': {
      const result = await secretsManager.handle(operation, body);
      return answerJson(200, result, { 'content-type': 'application/x-amz-json-1.1' });
    }
    case 'sqs': {
      const result = await askSqs(queues, operation, body);
      return answerJson(200, result, { 'content-type': 'application/x-amz-json-1.0' });
    }
    default:
      return forward();
  }
};

const toApiError = (cause: unknown): ApiError => {
  if (cause instanceof ApiError) return cause;
  return new ApiError('InternalServerError', cause instanceof Error ? cause.message : '', 500);
};

/** Answers one request. Undefined means: close the connection without an answer. */
const answer = async (
  request: IncomingMessage,
  {
    secretsManager,
    queues,
    principals,
    hooks,
    engine,
    onWrite,
  }: AwsProxyOptions & {
    engine: Forwarder;
  },
): Promise<ApiAnswer | undefined> => {
  const bytes = await buffer(request);
  const principal = authenticate(request.headers, principals);
  const call = parseCall(request.headers, bytes);
  const functionCall = principal.functionId !== undefined && {
    ...call,
    functionId: principal.functionId,
  };
  try {
    authorize(principal, call, secretsManager);
    const fault = functionCall && (await hooks.onRequest?.(functionCall));
    if (fault) return fault;
    const forward = () => engine.forward(request, bytes);
    const given = await ask(call, { secretsManager, queues, forward });
    if (writeOperations.includes(call.operation)) onWrite();
    if (functionCall && hooks.afterForward?.(functionCall) === 'drop') return undefined;
    if (functionCall) hooks.onResponse?.(functionCall, given);
    return given;
  } catch (error) {
    return answerError(toApiError(error), call.service);
  }
};

/** Listens on a free port of the loopback interface. */
export const startAwsProxy = async (options: AwsProxyOptions): Promise<ListeningServer> => {
  const engine = createForwarder(options.dynamodb);
  const server = createServer((request, response) => {
    answer(request, { ...options, engine })
      .catch((error: unknown) => answerError(toApiError(error)))
      .then((given) => (given ? sendAnswer(response, given) : request.socket.destroy()));
  });
  // The SDK keeps its connections; were this side to close an idle one, a request could get lost on it.
  server.keepAliveTimeout = 0;
  const listening = await listenOnLoopback(server, 0);
  return {
    ...listening,
    close: async () => {
      engine.close();
      await listening.close();
    },
  };
};
