/**
 * AWS endpoint for all functions. The proxy identifies each caller by its access key and checks the caller's role. Only
 * permitted calls reach CloudFormation, DynamoDB, KMS, Secrets Manager or SQS.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type ApiAnswer, type ApiCall, ApiError, answerError, parseCall } from '../api-call.ts';
import { type DescribedStack, describeStacks } from '../cloudformation/describe-stacks.ts';
import type { EngineAddress } from '../engine/address.ts';
import { answerJson, sendAnswer } from '../http.ts';
import { authenticate, authorize } from '../iam/authorization.ts';
import type { Principals } from '../iam/principals.ts';
import type { KeyManagement } from '../kms/key-management.ts';
import { type ListeningServer, listenOnLoopback } from '../loopback.ts';
import type { SecretsManager } from '../secrets/secrets-manager.ts';
import type { Queues } from '../sqs/message-queues.ts';
import { askSqs } from '../sqs/sqs.ts';
import { createForwarder, type Forwarder } from './forwarding.ts';

/** Permitted call of a function. */
export interface FunctionCall extends ApiCall {
  readonly functionId: string;
}

/**
 * Hooks that observe or disturb the AWS calls of functions, for tests. Each hook is looked up at each call, so a test may
 * set and clear hooks while the stack runs.
 */
export interface AwsHooks {
  /** Called before each call. A returned response is sent instead, and the call does not reach the service. */
  onRequest?: ((call: FunctionCall) => FaultAnswer | Promise<FaultAnswer>) | undefined;
  /** Called after the call took effect. `drop` closes the connection, so that the caller gets no response. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only observes returns nothing
  afterForward?: ((call: FunctionCall) => 'drop' | undefined | void) | undefined;
  /** Called with each response of a service before it is sent. */
  onResponse?: ((call: FunctionCall, answer: ApiAnswer) => void) | undefined;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only observes returns nothing
export type FaultAnswer = void | undefined | ApiAnswer;

export interface AwsProxyOptions {
  /** Engine that answers DynamoDB calls. */
  readonly dynamodb: EngineAddress;
  readonly secretsManager: SecretsManager;
  readonly queues: Queues;
  readonly keyManagement: KeyManagement;
  readonly stack: DescribedStack;
  readonly principals: Principals;
  readonly hooks: AwsHooks;
  /** Called after each call that may have changed a table. */
  readonly onWrite: () => void;
}

const writeOperations = [
  'BatchWriteItem',
  'DeleteItem',
  'PutItem',
  'TransactWriteItems',
  'UpdateItem',
];

type Services = Pick<AwsProxyOptions, 'secretsManager' | 'queues' | 'keyManagement' | 'stack'> & {
  /** Forwards the call to the engine. */
  readonly forward: () => Promise<ApiAnswer>;
};

const ask = async (
  { service, operation, body }: ApiCall,
  { secretsManager, queues, keyManagement, stack, forward }: Services,
): Promise<ApiAnswer> => {
  switch (service) {
    case 'cloudformation':
      return describeStacks(stack, operation, body);
    case 'secretsmanager': {
      const result = await secretsManager.handle(operation, body);
      return answerJson(200, result, { 'content-type': 'application/x-amz-json-1.1' });
    }
    case 'sqs': {
      const result = await askSqs(queues, operation, body);
      return answerJson(200, result, { 'content-type': 'application/x-amz-json-1.0' });
    }
    case 'kms': {
      const result = keyManagement.handle(operation, body);
      return answerJson(200, result, { 'content-type': 'application/x-amz-json-1.1' });
    }
    default:
      return forward();
  }
};

const toApiError = (cause: unknown): ApiError => {
  if (cause instanceof ApiError) return cause;
  return new ApiError('InternalServerError', cause instanceof Error ? cause.message : '', 500);
};

/** Answers one request. Resolves to undefined if the connection must be closed without a response. */
const answer = async (
  request: IncomingMessage,
  {
    secretsManager,
    queues,
    keyManagement,
    stack,
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
    const given = await ask(call, { secretsManager, queues, keyManagement, stack, forward });
    if (writeOperations.includes(call.operation)) onWrite();
    if (functionCall && hooks.afterForward?.(functionCall) === 'drop') return undefined;
    if (functionCall) hooks.onResponse?.(functionCall, given);
    return given;
  } catch (error) {
    return answerError(toApiError(error), call.service);
  }
};

/** Starts the proxy on a free port of the loopback interface. */
export const startAwsProxy = async (options: AwsProxyOptions): Promise<ListeningServer> => {
  const engine = createForwarder(options.dynamodb);
  const server = createServer((request, response) => {
    answer(request, { ...options, engine })
      .catch((error: unknown) => answerError(toApiError(error)))
      .then((given) => (given ? sendAnswer(response, given) : request.socket.destroy()));
  });
  // The SDK reuses connections. If the server closed an idle connection, a request on it could get lost.
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
