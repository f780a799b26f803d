import { RequestError } from '../../shared/api/client/request-error.ts';

/** Returns a RequestError for any error: the screen shows its `detail`. */
export const toRequestError = (error: unknown): RequestError =>
  error instanceof RequestError
    ? error
    : new RequestError({ code: 'unexpected_answer', detail: String(error), cause: error });
