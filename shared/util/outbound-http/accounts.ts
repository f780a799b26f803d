import { RefusedRequestError } from './upstream-error.ts';

/**
 * Returns the `Authorization` for requests to a host; undefined for anonymous requests. After a refusal, `refused` is the
 * value that the host refused, so that a changed account is found.
 */
export type FindAuthorization = (host: string, refused?: string) => Promise<string | undefined>;

/** Setting of the secret with the accounts. Error messages name it, because operators have to change that secret. */
const accountsSetting = 'upstreamSecretArn';

/** Returns the error for a host that refused an account. */
export const describeRefusedAccount = (host: string): RefusedRequestError =>
  new RefusedRequestError(
    `${host} refused its account in the secret of the setting ${accountsSetting} with status 401`,
    401,
  );

/** Returns the error for a host that demands an account. */
export const describeMissingAccount = (host: string): RefusedRequestError =>
  new RefusedRequestError(
    `${host} refused the request with status 401: no account of ${host} is known from the secret of the setting ${accountsSetting}`,
    401,
  );
