import callableRoutes from '../../shared/api/client/callable-routes.build.ts';
import { createOperations } from '../../shared/api/client/create-operations.ts';
import type { Credentials } from '../../shared/api/client/credentials.ts';
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

/** The user of a client. */
export interface ClientUser {
  /** Returns the credentials for a request; null without any. Throws if no request may be sent without credentials. */
  readonly readCredentials: () => Credentials | null | Promise<Credentials>;
  /** Called when the registry refuses credentials. */
  readonly noteRefused: (refused: Credentials, refusal: RequestError) => void;
}

const nobody: ClientUser = { readCredentials: () => null, noteRefused: () => undefined };

/** Returns true if the registry refused the credentials themselves. */
const isCredentialsRefusal = (error: unknown): error is RequestError =>
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

/** Returns a client of the registry that serves this page. Without a user, it sends no credentials. */
export const createConsoleClient = ({
  readCredentials,
  noteRefused,
}: ClientUser = nobody): RegistryClient =>
  createOperations(callableRoutes, async (route, input, options) => {
    let used: Credentials | null = null;
    const use = (credentials: Credentials | null) => {
      used = credentials;
      return credentials;
    };
    const send = createSender({
      ...{ url: registryUrl, transport: sendFromBrowser, timeoutMs, retries, toError },
      readCredentials: () => {
        const credentials = readCredentials();
        return credentials instanceof Promise ? credentials.then(use) : use(credentials);
      },
    });
    try {
      return await send(route, input, options);
    } catch (error) {
      const refusal = [error, error instanceof RequestError && error.cause].find(
        isCredentialsRefusal,
      );
      if (used !== null && refusal) noteRefused(used, refusal);
      throw error;
    }
  });

/** Returns a new idempotency key: a write with a key is applied once, however often it is sent. */
export const makeIdempotencyKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
