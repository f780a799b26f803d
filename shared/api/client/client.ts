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

/** The most delay before a retry, unless the registry asks for more. */
const longestDelayMs = 20_000;

const createNodeSender = (options: ClientOptions): SendInput => {
  const { retries, backoffMs, ...given } = { ...defaults, ...options };
  const send = createSender({
    ...given,
    transport: sendFromNode,
    readToken: () => options.token ?? null,
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
 * A client of the registry at a URL. Answers are typed by the routes, not checked against them.
 * @throws {TypeError} for a URL that is none, and for a token that no header can carry
 */
export const createClient = (options: ClientOptions): RegistryClient => {
  checkOptions(options);
  return createOperations(routesByName, createNodeSender(options));
};
