import { answerJson } from '../http.ts';
import { type HttpRequest, readHeader } from './http-request.ts';

const loopbackNames = /^(?:localhost|[^:]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * True if the request's Host is a loopback name. This check prevents DNS rebinding: a web page can resolve its own domain
 * to this machine, and the browser then treats the local API as the same origin.
 */
export const isForThisMachine = (request: HttpRequest): boolean =>
  loopbackNames.test(readHeader(request, 'host') ?? 'localhost');

/** Response to requests for other hosts, as API Gateway sends it. Gateway responses of the API do not apply to it. */
export const unknownHostAnswer = answerJson(403, { message: 'Forbidden' });
