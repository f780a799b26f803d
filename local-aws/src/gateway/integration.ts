/** Answers a request with the function of its method. */
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpAnswer } from '../http.ts';
import { InvocationError, RequestTooLargeError } from '../lambda/messages.ts';
import type { RestApi } from '../template/model.ts';
import { decodeBody, encodeAnswer } from './content-encoding.ts';
import { type HttpRequest, readHeader } from './http-request.ts';
import { makeProxyEvent } from './proxy-event.ts';
import { readProxyResult } from './proxy-result.ts';
import { RefusalError } from './refusal.ts';
import type { Match, Router } from './router.ts';
import type { Throttling } from './throttle.ts';

export interface Integration {
  readonly api: RestApi;
  readonly route: Router;
  readonly mayPass: Throttling;
  readonly invoke: (functionId: string, event: unknown) => Promise<unknown>;
  /** Longest wait for a function, in milliseconds. */
  readonly timeoutMs: number;
}

/** @throws {RefusalError} if the method is unknown or throttled, or if API Gateway may not invoke its function */
const findMatch = ({ route, mayPass }: Integration, request: HttpRequest): Match => {
  const match = route(request.method, request.path);
  if (match === undefined) {
    const isSigned = readHeader(request, 'authorization') !== undefined;
    throw new RefusalError(isSigned ? 'INVALID_SIGNATURE' : 'MISSING_AUTHENTICATION_TOKEN');
  }
  if (!mayPass(match.route)) throw new RefusalError('THROTTLED');
  if (!match.route.permitted) {
    throw new RefusalError('API_CONFIGURATION_ERROR', 'Invalid permissions on Lambda function');
  }
  return match;
};

const toRefusal = (error: unknown): RefusalError => {
  if (error instanceof RequestTooLargeError) return new RefusalError('REQUEST_TOO_LARGE');
  if (error instanceof InvocationError) return new RefusalError('DEFAULT_5XX', error.message);
  return new RefusalError('INTEGRATION_FAILURE', String(error));
};

/** @throws {RefusalError} if the function fails or exceeds the gateway's timeout */
const invokeInTime = async (
  integration: Integration,
  functionId: string,
  event: unknown,
): Promise<unknown> => {
  const waiting = new AbortController();
  try {
    return await Promise.race([
      integration.invoke(functionId, event).catch((error: unknown) => {
        throw toRefusal(error);
      }),
      delay(integration.timeoutMs, undefined, { signal: waiting.signal }).then(() => {
        throw new RefusalError(
          'INTEGRATION_TIMEOUT',
          `no answer within ${integration.timeoutMs} ms`,
        );
      }),
    ]);
  } finally {
    waiting.abort();
  }
};

/**
 * Resolves to the function's response.
 * @throws {RefusalError | BodyTooLongError} if the gateway has to answer itself
 */
export const answerByFunction = async (
  integration: Integration,
  request: HttpRequest,
  readBody: () => Promise<Buffer>,
): Promise<HttpAnswer> => {
  const match = findMatch(integration, request);
  const body = await decodeBody(request, await readBody());
  const event = makeProxyEvent(integration.api, { request, match, body });
  const result = await invokeInTime(integration, match.route.functionId, event);
  const accept = readHeader(request, 'accept')?.split(',')[0];
  const { binaryMediaTypes, minimumCompressionSize } = integration.api;
  const answer = readProxyResult(result, accept, binaryMediaTypes);
  return encodeAnswer(request, answer, minimumCompressionSize);
};
