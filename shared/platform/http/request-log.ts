import type { APIGatewayProxyEvent } from 'aws-lambda';
import { writeLine } from '../../util/log.ts';
import { readHeader } from './gateway-request.ts';
import type { EndpointMiddleware, EndpointRequest } from './state.ts';

/** True if a request has a header for a token or an ID token, valid or not. */
const hasCredentials = (event: APIGatewayProxyEvent): boolean =>
  ['X-API-Key', 'Authorization'].some((name) => readHeader(event, name).length > 0);

/** Returns the middleware that logs one line for each request, also a refused one. Outermost, to see the final status. */
export const requestLog = (): EndpointMiddleware => {
  let startedAt = 0;

  const logRequest = ({ event, response, internal }: EndpointRequest): void => {
    const { label, fingerprint } = internal.caller ?? {};
    const { problemCode: code, tokenFault } = internal;
    writeLine({
      level: 'info',
      event: 'request',
      method: event.httpMethod,
      path: event.path,
      auth_present: hasCredentials(event) ? 'yes' : 'no',
      status: response?.statusCode ?? 500,
      duration_s: Math.round(performance.now() - startedAt) / 1000,
      request_id: event.requestContext.requestId,
      ...(code && { code }),
      ...(label && { token_label: label }),
      ...(fingerprint && { token_fingerprint: fingerprint }),
      ...(tokenFault && { token_fault: tokenFault }),
    });
  };

  return {
    before: () => {
      startedAt = performance.now();
    },
    after: logRequest,
    onError: logRequest,
  };
};
