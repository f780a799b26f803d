/** Variables of `$context` for access logs and gateway responses. */
import type { RestApi } from '../template/model.ts';
import { accountId } from '../template/names.ts';
import { type HttpRequest, readHeader } from './http-request.ts';
import { formatRequestTime } from './proxy-event.ts';

/** Values by name, such as `requestId` or `error.message`. */
export type ContextVariables = Readonly<Record<string, string | number | undefined>>;

/** Returns the variables that are known before a function answers the request. */
export const collectContext = (api: RestApi, request: HttpRequest): ContextVariables => ({
  accountId,
  apiId: api.id,
  domainName: readHeader(request, 'host'),
  extendedRequestId: request.requestId,
  httpMethod: request.method,
  'identity.sourceIp': request.sourceIp,
  'identity.userAgent': readHeader(request, 'user-agent'),
  path: request.path,
  protocol: request.protocol,
  requestId: request.requestId,
  requestTime: formatRequestTime(request.receivedAt),
  requestTimeEpoch: request.receivedAt.getTime(),
  stage: api.stage,
});

/** Replaces each `$context.name` with its value. */
export const substitute = (template: string, valueFor: (name: string) => string): string =>
  template.replace(/\$context\.([A-Za-z][A-Za-z0-9_.]*)/g, (_, name: string) => valueFor(name));

/** The only variable whose value is already JSON. */
const quoted = 'error.messageString';

/**
 * Returns one line of the access log. An unknown variable becomes a hyphen. Quotes are escaped, because the format may
 * be JSON.
 */
export const formatAccessLog = (format: string, variables: ContextVariables): string =>
  substitute(format, (name) => {
    const value = String(variables[name] ?? '-');
    return name === quoted ? value : JSON.stringify(value).slice(1, -1);
  });
