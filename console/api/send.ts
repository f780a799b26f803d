import type { SendInput } from '../../shared/api/client/create-operations.ts';
import { buildRequest, type Outgoing } from '../../shared/api/client/outgoing.ts';
import { RequestError } from '../../shared/api/client/request-error.ts';
import { isProtected } from '../../shared/api/route-rules.ts';
import type { Problem } from '../../shared/api/schemas/problem.ts';
import { isObject, parseJson } from '../../shared/util/json.ts';

const timeoutMs = 30_000;

/** How long is waited before each repetition, in milliseconds. */
const pausesMs = [400, 1500];

const isProblem = (body: unknown): body is Problem =>
  isObject(body) && typeof body['code'] === 'string' && typeof body['detail'] === 'string';

const toRefusal = (status: number, body: unknown): RequestError =>
  isProblem(body)
    ? new RequestError({ status, code: body.code, detail: body.detail, problem: body })
    : new RequestError({
        ...{ status, code: 'unexpected_answer' },
        detail: `The registry answered ${status}, and not as it does.`,
      });

const toUnreachable = (cause: unknown): RequestError => {
  const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
  return isLate
    ? new RequestError({ code: 'timeout', detail: 'The registry did not answer in time.', cause })
    : new RequestError({ code: 'unreachable', detail: 'The registry cannot be reached.', cause });
};

/** Whether the same request may go better later. */
const isPassing = ({ status }: RequestError): boolean =>
  status === null || status === 429 || status >= 500;

interface Sent extends Outgoing {
  /** Whether it goes on when the page is left. */
  readonly keepalive?: boolean;
}

/** As much as browsers send of a page that is left, less what else may be under way: they allow 64 KiB. */
const mostKeptBytes = 50_000;

const isSmall = ({ body = '' }: Outgoing): boolean =>
  new TextEncoder().encode(body).length <= mostKeptBytes;

const sendOnce = async (
  { url, ...init }: Omit<Sent, 'isQuestion'>,
  signal: AbortSignal,
): Promise<unknown> => {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const options = { cache: 'no-store', credentials: 'omit', redirect: 'error' } as const;
  try {
    const response = await fetch(url, { ...init, ...options, signal: limited });
    const body = parseJson(await response.text());
    if (response.ok && isObject(body)) return body;
    throw toRefusal(response.status, body);
  } catch (error) {
    if (error instanceof RequestError || signal.aborted) throw error;
    throw toUnreachable(error);
  }
};

const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

/** Returns why a repetition failed; where a write was lost before, its refusal does not say what became of that. */
const toFailure = (error: unknown, isLost: boolean): unknown =>
  isLost && error instanceof RequestError && (error.status ?? 500) < 500
    ? new RequestError({ code: 'unreachable', detail: 'No answer came.', cause: error })
    : error;

/** Sends it, and again where that can do no harm and may help. */
const sendPatiently = async (
  { isQuestion, ...request }: Sent,
  { mayRepeat, signal }: { readonly mayRepeat: boolean; readonly signal: AbortSignal },
): Promise<unknown> => {
  const { keepalive: _, ...again } = request;
  let next: Omit<Sent, 'isQuestion'> = request;
  let isLost = false;
  for (const pauseMs of [...(mayRepeat ? pausesMs : []), null]) {
    try {
      return await sendOnce(next, signal);
    } catch (error) {
      const mayPass = error instanceof RequestError && isPassing(error);
      if (pauseMs === null || !mayPass) throw toFailure(error, isLost);
      isLost ||= !isQuestion && error.status !== 429;
      await wait(pauseMs, signal);
    }
    // Browsers refuse more than they keep: while the page is there, it goes without.
    next = again;
  }
  return undefined;
};

/** The token that requests carry. */
export interface Credentials {
  /** Returns the token of now, or null; throws where none shall be sent without one. */
  readonly readToken: () => string | null;
  /** Called where the registry does not accept the token. */
  readonly noteRefused: (token: string, refusal: RequestError) => void;
}

/** Whether the registry refused the token itself, and not what was asked with it. */
const isTokenRefused = (error: unknown): error is RequestError =>
  error instanceof RequestError && (error.status === 401 || error.code === 'invalid_token');

/**
 * How the console sends what an operation was given. A write is repeated where its key keeps it from being done twice.
 * Rejects with a RequestError once it is refused or failed in vain, or with the reason of the signal.
 */
export const createSender =
  (base: string, { readToken, noteRefused }: Credentials): SendInput =>
  async (route, input, { idempotencyKey, signal = new AbortController().signal }) => {
    const built = buildRequest(base, route, input);
    const token = isProtected(route) ? readToken() : null;
    const headers = {
      ...built.headers,
      ...(token !== null && { 'X-API-Key': token }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    };
    const mayRepeat = built.isQuestion || idempotencyKey !== undefined;
    const keepalive = idempotencyKey !== undefined && isSmall(built);
    try {
      return await sendPatiently({ ...built, headers, keepalive }, { mayRepeat, signal });
    } catch (error) {
      const refusal = [error, error instanceof RequestError && error.cause].find(isTokenRefused);
      if (token !== null && refusal) noteRefused(token, refusal);
      throw error;
    }
  };
