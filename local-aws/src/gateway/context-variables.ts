/** The `$context` of a request, from which access logs and gateway responses are written. */
import type { RestApi } from '../template/model.ts';
import { accountId } from '../template/names.ts';
import { type HttpRequest, readHeader } from './http-request.ts';
import { formatRequestTime } from './proxy-event.ts';

/** Name, such as `requestId` or `error.message`, to value. */
export type ContextVariables = Readonly<Record<string, string | number | undefined>>;

/** What is known of a request before a function answers it. */
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

/** Replaces each `$context.name`. */
export const substitute = (template: string, valueFor: (name: string) => string): string =>
  template.replace(/\$context\.([A-Za-z][A-Za-z0-9_.]*)/g, (_, name: string) => valueFor(name));

/** The one variable that is JSON already. */
const quoted = 'error.messageString';

/** One line of the access log. What is not known is a hyphen, and quotes are escaped, as the format may be JSON. */
export const formatAccessLog = (format: string, variables: ContextVariables): string =>
  substitute(format, (name) => {
    const value = String(variables[name] ?? '-');
    return name === quoted ? value : JSON.stringify(value).slice(1, -1);
  });
