import { writeLine } from '../../util/log.ts';
import { readHeader } from './gateway-request.ts';
import type { EndpointMiddleware, EndpointRequest } from './state.ts';

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
      auth_present: readHeader(event, 'X-API-Key').length > 0 ? 'yes' : 'no',
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
