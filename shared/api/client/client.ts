import { isProtected } from '../route-rules.ts';
import { routes } from '../routes.ts';
import { createOperations, type SendInput } from './create-operations.ts';
import { findTokenFault, findUrlFault } from './credentials.ts';
import type { RegistryClient } from './operations.ts';
import type { ClientOptions } from './options.ts';
import { buildRequest } from './outgoing.ts';
import { sendPatiently } from './retry.ts';

export type { RegistryClient } from './operations.ts';
export type { Attempt, CallOptions, ClientOptions, Wait } from './options.ts';
export { RequestError, type TransportCode } from './request-error.ts';

const defaults = { timeoutMs: 30_000, retries: 3, backoffMs: 250 };

const createSender =
  ({ url, token, ...given }: ClientOptions): SendInput =>
  (route, input, { idempotencyKey, signal }) => {
    const request = buildRequest(url, route, input);
    const headers = {
      ...request.headers,
      ...(isProtected(route) && token !== undefined && { 'X-API-Key': token }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    };
    const options = { ...defaults, ...given, ...(signal && { signal }) };
    const call = sendPatiently({ ...request, headers }, options);
    given.onCall?.(call);
    return call;
  };

const checkOptions = ({ url, token }: ClientOptions): void => {
  const urlFault = findUrlFault(url);
  if (urlFault) throw new TypeError(`The URL ${urlFault}`);
  const tokenFault = token === undefined ? undefined : findTokenFault(token);
  if (tokenFault) throw new TypeError(`The token ${tokenFault}`);
};

/**
 * A client of the registry at a URL. Answers are typed by the route table, not checked against it.
 * @throws {TypeError} for a URL that is none, and for a token that no header can carry
 */
export const createClient = (options: ClientOptions): RegistryClient => {
  checkOptions(options);
  return createOperations(routes, createSender(options));
};
