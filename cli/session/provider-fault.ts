import { readTextAt } from '../../shared/util/json.ts';

/** Returns whether a request got no answer, so that a later one may get one. */
export const isConnectionFault = (error: unknown): error is Error =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || (error instanceof TypeError && error.cause !== undefined));

/** Returns the refusal in an answer of OpenID Connect, such as `access_denied`; undefined for any other error. */
export const findRefusal = (error: unknown): string | undefined => {
  const code = error instanceof Error ? readTextAt({ ...error }, 'error') : undefined;
  if (code === undefined) return undefined;
  const description = readTextAt({ ...(error as object) }, 'error_description');
  return description ? `${code} (${description})` : code;
};

/** Describes why a provider of ID tokens gave none, to complete a sentence. */
export const describeProviderFault = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'it did not answer in time';
  const { cause } = error;
  if (isConnectionFault(error) && cause instanceof Error) {
    return `it cannot be reached: ${cause.message || (cause as NodeJS.ErrnoException).code}`;
  }
  return findRefusal(error) ?? error.message;
};
