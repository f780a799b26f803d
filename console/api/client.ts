import callableRoutes from '../../shared/api/client/callable-routes.build.ts';
import { createOperations } from '../../shared/api/client/create-operations.ts';
import type { RegistryClient } from '../../shared/api/client/operations.ts';
import type { Outgoing } from '../../shared/api/client/outgoing.ts';
import { RequestError } from '../../shared/api/client/request-error.ts';
import { createSender, type SenderOptions } from '../../shared/api/client/sender.ts';
import type { Fault } from '../../shared/api/client/transport.ts';
import { sendFromBrowser } from './browser-transport.ts';

/** The URL of the registry that serves this page, with a stage or the path of a custom domain if it has one. */
export const registryUrl = location.origin + location.pathname.replace(/\/console\/?$/, '');

const timeoutMs = 30_000;

/** The delays before retries, in milliseconds. */
const delaysMs = [400, 1500];

const retries: SenderOptions['retries'] = {
  attempts: delaysMs.length + 1,
  delayMs: (retry) => delaysMs[retry] ?? 0,
};

/** The token of a client. */
export interface Credentials {
  /** Returns the current token; null without one. Throws if no request may be sent without a token. */
  readonly readToken: () => string | null;
  /** Called when the registry refuses the token. */
  readonly noteRefused: (token: string, refusal: RequestError) => void;
}

const noCredentials: Credentials = { readToken: () => null, noteRefused: () => undefined };

/** Returns true if the registry refused the token itself. */
const isTokenRefused = (error: unknown): error is RequestError =>
  error instanceof RequestError && (error.status === 401 || error.code === 'invalid_token');

/**
 * Returns the error for the caller. After an attempt without an answer, the refusal of a write does not show whether
 * that attempt was applied, so the outcome is unknown.
 */
const toError = (faults: readonly Fault[], { isQuestion }: Outgoing): RequestError => {
  const last = faults.at(-1)?.error;
  const isUnconfirmed = !isQuestion && faults.slice(0, -1).some(({ maybeApplied }) => maybeApplied);
  if (!last || (isUnconfirmed && (last.status ?? 500) < 500)) {
    return new RequestError({
      code: 'unreachable',
      detail: 'The registry did not answer.',
      cause: last,
    });
  }
  return last;
};

/** Returns a client of the registry that serves this page. Without credentials, it sends no token. */
export const createConsoleClient = ({
  readToken,
  noteRefused,
}: Credentials = noCredentials): RegistryClient =>
  createOperations(callableRoutes, async (route, input, options) => {
    let token: string | null = null;
    const send = createSender({
      ...{ url: registryUrl, transport: sendFromBrowser, timeoutMs, retries, toError },
      readCredentials: () => {
        token = readToken();
        return token === null ? null : { token };
      },
    });
    try {
      return await send(route, input, options);
    } catch (error) {
      const refusal = [error, error instanceof RequestError && error.cause].find(isTokenRefused);
      if (token !== null && refusal) noteRefused(token, refusal);
      throw error;
    }
  });

/** Returns a new idempotency key: a write with a key is applied once, however often it is sent. */
export const makeIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
