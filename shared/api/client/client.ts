import { exponentialDelay } from '../../util/retry.ts';
import { routesByName } from '../all-routes.ts';
import { createOperations, type SendInput } from './create-operations.ts';
import { findTokenFault, findUrlFault } from './credentials.ts';
import { sendFromNode } from './node-transport.ts';
import type { RegistryClient } from './operations.ts';
import type { ClientOptions } from './options.ts';
import { createSender } from './sender.ts';

export type { RegistryClient } from './operations.ts';
export type { Attempt, CallOptions, ClientOptions, Wait } from './options.ts';
export { RequestError, type TransportCode } from './request-error.ts';

const defaults = { timeoutMs: 30_000, retries: 3, backoffMs: 250 };

/** Maximum delay before a retry, in milliseconds, unless the registry asks for more. */
const longestDelayMs = 20_000;

const findCredentials = ({ token, idToken }: ClientOptions) => {
  const listed = token === undefined ? null : { token };
  if (idToken === undefined) return listed;
  return idToken().then((value) => (value === undefined ? listed : { idToken: value }));
};

const createNodeSender = (options: ClientOptions): SendInput => {
  const { retries, backoffMs, ...given } = { ...defaults, ...options };
  const send = createSender({
    ...given,
    transport: sendFromNode,
    readCredentials: () => findCredentials(options),
    retries: {
      attempts: retries + 1,
      delayMs: exponentialDelay({ firstMs: backoffMs, longestMs: longestDelayMs }),
      jitter: 1,
    },
  });
  return (...call) => {
    const answer = send(...call);
    options.onCall?.(answer);
    return answer;
  };
};

const checkOptions = ({ url, token }: ClientOptions): void => {
  const urlFault = findUrlFault(url);
  if (urlFault) throw new TypeError(`The URL ${urlFault}`);
  const tokenFault = token === undefined ? undefined : findTokenFault(token);
  if (tokenFault) throw new TypeError(`The token ${tokenFault}`);
};

/**
 * Returns a client of the registry at a URL. The routes define the types of responses; the client does not validate
 * responses.
 * @throws {TypeError} if the URL is invalid, or if no header can carry the token
 */
export const createClient = (options: ClientOptions): RegistryClient => {
  checkOptions(options);
  return createOperations(routesByName, createNodeSender(options));
};
