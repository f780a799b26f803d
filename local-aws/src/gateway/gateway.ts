/**
 * Local API Gateway: an HTTP server that invokes the stack's functions, and answers itself if an invocation is not
 * possible.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type HttpAnswer, sendAnswer } from '../http.ts';
import { type ListeningServer, listenOnLoopback } from '../loopback.ts';
import type { RestApi } from '../template/model.ts';
import { type ContextVariables, collectContext, formatAccessLog } from './context-variables.ts';
import { findResponse, writeRefusal } from './gateway-response.ts';
import { type HttpRequest, readRequest } from './http-request.ts';
import { answerByFunction, type Integration } from './integration.ts';
import { isForThisMachine, unknownHostAnswer } from './known-host.ts';
import { RefusalError } from './refusal.ts';
import { BodyTooLongError, readBody, tooLongAnswer } from './request-body.ts';
import { createRouter } from './router.ts';
import { createThrottling } from './throttle.ts';

/** Request and its response, from a function or from the gateway itself. */
export interface Exchange {
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  readonly answer: HttpAnswer;
}

/** Parts of a gateway without an HTTP server. */
export interface GatewayParts {
  readonly api: RestApi;
  readonly invoke: Integration['invoke'];
  /**
   * Called with a line for each request that the gateway answered itself; functions log the other requests. Without an
   * access log format, only integration errors are logged.
   */
  readonly onAccessLog: (line: string) => void;
  /** Called with each response before it is sent. */
  readonly onAnswer?: ((exchange: Exchange) => void) | undefined;
  /** Longest wait for a function, in milliseconds. */
  readonly integrationTimeoutMs: number;
}

export interface GatewayOptions extends GatewayParts {
  /** Port of the server; 0 for any free port. */
  readonly port: number;
}

type Gateway = GatewayParts & Integration;

const logRefusal = (
  { api, onAccessLog }: Gateway,
  context: ContextVariables,
  answer: HttpAnswer,
): void => {
  if (api.accessLogFormat === undefined) {
    const { integrationErrorMessage: why } = context;
    if (why !== undefined) onAccessLog(`${context['error.responseType']}: ${why}`);
    return;
  }
  const latency = Date.now() - Number(context['requestTimeEpoch']);
  const variables = {
    ...context,
    responseLatency: latency,
    responseLength: Buffer.byteLength(answer.body),
    status: answer.status,
  };
  onAccessLog(formatAccessLog(api.accessLogFormat, variables));
};

/** Returns the gateway's own response to a request that no function answered, and logs it. */
const answerRefusal = (gateway: Gateway, error: unknown, context: ContextVariables): HttpAnswer => {
  if (error instanceof BodyTooLongError) {
    const variables = { ...context, 'error.responseType': 'REQUEST_TOO_LARGE' };
    logRefusal(gateway, variables, tooLongAnswer);
    return tooLongAnswer;
  }
  const refusal =
    error instanceof RefusalError ? error : new RefusalError('DEFAULT_5XX', String(error));
  const variables = {
    ...context,
    'error.message': refusal.message,
    'error.messageString': JSON.stringify(refusal.message),
    'error.responseType': refusal.type,
    integrationErrorMessage: refusal.integrationError,
  };
  const answer = writeRefusal(
    refusal,
    findResponse(gateway.api.gatewayResponses, refusal),
    variables,
  );
  logRefusal(gateway, variables, answer);
  return answer;
};

const answerRequest = async (
  gateway: Gateway,
  request: HttpRequest,
  readBody: () => Promise<Buffer>,
): Promise<HttpAnswer> => {
  const answer = await answerByFunction(gateway, request, readBody).catch((error: unknown) =>
    answerRefusal(gateway, error, collectContext(gateway.api, request)),
  );
  const { method, path } = request;
  gateway.onAnswer?.({ method, path, answer });
  return answer;
};

const handle = async (
  gateway: Gateway,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const request = readRequest(message);
  if (!isForThisMachine(request)) {
    message.resume();
    sendAnswer(response, unknownHostAnswer);
    return;
  }
  const answer = await answerRequest(gateway, request, () => readBody(message));
  response.setHeader('x-amzn-RequestId', request.requestId);
  sendAnswer(response, answer);
};

const makeGateway = (parts: GatewayParts): Gateway => ({
  ...parts,
  route: createRouter(parts.api.routes),
  mayPass: createThrottling(),
  timeoutMs: parts.integrationTimeoutMs,
});

/** Request from the same process, without a connection. */
export interface OwnRequest {
  readonly method: string;
  /** Percent-encoded path and query, as in a request line. */
  readonly target: string;
  /** Alternating names and values, as in a message. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** Returns a gateway without an HTTP server, for requests from the same process. */
export const createGateway = (
  parts: GatewayParts,
): ((request: OwnRequest) => Promise<HttpAnswer>) => {
  const gateway = makeGateway(parts);
  return ({ method, target, rawHeaders, body }) => {
    const head = { method, url: target, rawHeaders, httpVersion: '1.1', socket: {} };
    return answerRequest(gateway, readRequest(head), async () => body);
  };
};

/**
 * Starts the gateway on the loopback interface.
 * @throws {PortError} if the port cannot be used
 */
export const startGateway = ({ port, ...parts }: GatewayOptions): Promise<ListeningServer> => {
  const gateway = makeGateway(parts);
  const server = createServer((message, response) => {
    void handle(gateway, message, response);
  });
  // Clients reuse connections. If the server closed an idle connection, a request on it could get lost.
  server.keepAliveTimeout = 0;
  return listenOnLoopback(server, port);
};
