import type { Outgoing } from '../../shared/api/client/outgoing.ts';
import { RequestError } from '../../shared/api/client/request-error.ts';
import { type Outcome, type Transport, toAnswerFault } from '../../shared/api/client/transport.ts';
import { isObject, parseJson } from '../../shared/util/json.ts';

/** The largest body that browsers send after the page is left, with room for other requests: their limit is 64 KiB. */
const mostKeepaliveBytes = 50_000;

/** Returns true if a request continues when the page is left: a write with an idempotency key and a small body. */
const isKeptAlive = ({ headers, body = '' }: Outgoing): boolean =>
  'Idempotency-Key' in headers && new TextEncoder().encode(body).length <= mostKeepaliveBytes;

const toConnectionOutcome = (cause: unknown): Outcome => {
  const isTimeout = cause instanceof DOMException && cause.name === 'TimeoutError';
  const error = isTimeout
    ? new RequestError({ code: 'timeout', detail: 'The registry did not answer in time.', cause })
    : new RequestError({ code: 'unreachable', detail: 'The registry cannot be reached.', cause });
  return {
    ...{ status: null, requestId: null },
    fault: { error, passing: true, maybeApplied: true },
  };
};

/** Sends a request once, from the browser. Only the first attempt is kept alive: browsers refuse more than their limit. */
export const sendFromBrowser: Transport = async (request, { attempt, signal }) => {
  const { url, isQuestion: _, ...init } = request;
  const options = { cache: 'no-store', credentials: 'omit', redirect: 'error' } as const;
  const keepalive = attempt === 1 && isKeptAlive(request);
  try {
    const response = await fetch(url, { ...init, ...options, keepalive, signal });
    const { ok, status } = response;
    const body = parseJson(await response.text());
    const head = { status, requestId: null };
    if (ok && isObject(body)) return { ...head, result: body };
    const unexpected = `The registry responded with status ${status} and an unknown format. Try again later.`;
    return { ...head, fault: toAnswerFault({ status }, body, unexpected) };
  } catch (error) {
    if (signal.aborted && signal.reason?.name !== 'TimeoutError') throw error;
    return toConnectionOutcome(error);
  }
};
