import { answerJson } from '../http.ts';
import { type HttpRequest, readHeader } from './http-request.ts';

const loopbackNames = /^(?:localhost|[^:]+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * Whether a request asks for this machine, by its own names. A page on the internet can have its own name lead here, and
 * a browser then lets it do all that its reader may: this tells such requests apart.
 */
export const isForThisMachine = (request: HttpRequest): boolean =>
  loopbackNames.test(readHeader(request, 'host') ?? 'localhost');

/** The answer to any other, as API Gateway gives it. It comes from before the API, so that no gateway response shapes it. */
export const unknownHostAnswer = answerJson(403, { message: 'Forbidden' });
