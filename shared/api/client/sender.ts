import { type RetryOptions, retry } from '../../util/retry.ts';
import { isProtected } from '../route-rules.ts';
import type { SendInput } from './create-operations.ts';
import { type Credentials, toAuthorization } from './credentials.ts';
import type { ClientOptions } from './options.ts';
import { buildRequest, type Outgoing } from './outgoing.ts';
import type { RequestError } from './request-error.ts';
import type { Fault, Transport } from './transport.ts';

/** Options of a sender. */
export interface SenderOptions extends Pick<ClientOptions, 'url' | 'onWait' | 'onAttempt'> {
  readonly transport: Transport;
  /** Returns the credentials for requests that need some; null without any. Called once for each call. */
  readonly readCredentials: () => Credentials | null | Promise<Credentials | null>;
  /** Maximum time for one attempt, in milliseconds. */
  readonly timeoutMs: number;
  readonly retries: Pick<RetryOptions, 'attempts' | 'delayMs' | 'jitter'>;
  /** Returns the error for the caller, from the faults of all attempts in order. By default, the last error. */
  readonly toError?: (faults: readonly Fault[], request: Outgoing) => RequestError;
}

/** Maximum delay that a registry can ask for, in milliseconds. After a longer one, there is no retry. */
const longestRetryAfterMs = 20_000;

/** True if a retry can succeed, and cannot apply a write twice. */
const isRetryable = ({ isQuestion, headers }: Outgoing, fault: Fault): boolean =>
  fault.passing &&
  fault.error.retryAfterMs <= longestRetryAfterMs &&
  (isQuestion || 'Idempotency-Key' in headers || !fault.maybeApplied);

/** Error that carries a fault from one attempt to `retry`. */
class FaultError extends Error {
  override readonly name = 'FaultError';
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(fault.error.message);
    this.fault = fault;
  }
}

const findFault = (error: unknown): Fault | undefined =>
  error instanceof FaultError ? error.fault : undefined;

/**
 * Sends a request, and retries it after temporary faults. Resolves to the JSON of the response.
 * @throws {RequestError} after a refusal, or after the last retry
 */
const sendRequest = (
  request: Outgoing,
  { transport, timeoutMs, retries, onWait, onAttempt, toError }: SenderOptions,
  signal: AbortSignal | undefined,
): Promise<unknown> => {
  const { method, url } = request;
  let attempt = 0;
  const sendOnce = async (): Promise<unknown> => {
    attempt += 1;
    const timeout = AbortSignal.timeout(timeoutMs);
    const limited = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const began = performance.now();
    const outcome = await transport(request, { attempt, signal: limited });
    const { status, requestId } = outcome;
    const code = 'fault' in outcome ? outcome.fault.error.code : null;
    onAttempt?.({ method, url, ms: performance.now() - began, status, requestId, code });
    if ('result' in outcome) return outcome.result;
    throw new FaultError(outcome.fault);
  };
  return retry(sendOnce, {
    ...retries,
    minDelayMs: (error) => findFault(error)?.error.retryAfterMs,
    isRetryable: (error) => {
      const fault = findFault(error);
      return fault !== undefined && isRetryable(request, fault);
    },
    onRetry: ({ error, delayMs }) => {
      const fault = findFault(error);
      if (fault) onWait?.({ ms: delayMs, after: fault.error });
    },
    toError: (errors) => {
      const faults = errors.flatMap((error) => findFault(error) ?? []);
      // Only the last error can be another error than a fault.
      if (faults.length < errors.length) return errors.at(-1);
      return toError?.(faults, request) ?? faults.at(-1)?.error;
    },
    ...(signal && { signal }),
  });
};

/**
 * Returns the function that sends the input of a client's operations. With an idempotency key, a write is safe to
 * retry.
 */
export const createSender =
  (options: SenderOptions): SendInput =>
  (route, input, { idempotencyKey, signal }) => {
    const request = buildRequest(options.url, route, input);
    const sendAs = (credentials: Credentials | null): Promise<unknown> => {
      const headers = {
        ...request.headers,
        ...toAuthorization(credentials),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      };
      return sendRequest({ ...request, headers }, options, signal);
    };
    const credentials = isProtected(route) ? options.readCredentials() : null;
    // Without a delay if possible: a page that is being left sends its decisions at once.
    return credentials instanceof Promise ? credentials.then(sendAs) : sendAs(credentials);
  };
