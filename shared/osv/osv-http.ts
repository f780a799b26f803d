import type * as z from 'zod';
import { OsvError, PassingFault } from './osv-error.ts';
import { type Patience, withRetries } from './retry.ts';

/** Where and how to ask OSV.dev. */
export interface OsvSettings {
  /** The address without a path, such as `https://api.osv.dev`. */
  readonly url: string;
  /** How long one request may take. */
  readonly timeoutMs: number;
  /** How long one call of the client may take, with all its requests, retries and waits. */
  readonly deadlineMs?: number;
  /** The longest wait before the first retry. */
  readonly backoffMs?: number;
  readonly fetch?: typeof globalThis.fetch;
}

/** One request, and the schema of its answer. */
export interface OsvRequest<T> {
  readonly path: string;
  /** What is posted; without it, the request is a GET. */
  readonly body?: unknown;
  readonly answer: z.ZodType<T>;
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

/** What `Retry-After` asks for: seconds, or a date. */
const retryAfterMs = (header: string | null): number | undefined => {
  if (header === null || header.trim() === '') return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
};

/** Where nothing came back: too late, or no connection. */
const faultOf = (error: unknown, timeoutMs: number): PassingFault => {
  if (error instanceof DOMException && error.name === 'TimeoutError') {
    return new PassingFault(`OSV.dev did not answer within ${seconds(timeoutMs)}`);
  }
  const cause =
    error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  const code = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
  return new PassingFault(`The connection to OSV.dev failed${code}`);
};

const checkStatus = ({ status, headers }: Response): void => {
  if (status === 429 || status >= 500) {
    const reason = `OSV.dev answered with status ${status}`;
    throw new PassingFault(reason, retryAfterMs(headers.get('Retry-After')));
  }
  if (status !== 200) throw new OsvError(`OSV.dev refused the request with status ${status}`);
};

const parse = <T>(text: string, { path, answer }: OsvRequest<T>): T => {
  try {
    return answer.parse(JSON.parse(text));
  } catch {
    throw new OsvError(`OSV.dev answered ${path} with something that is not in its format`);
  }
};

/** Sends requests to OSV.dev and checks the answers. Faults that may pass are tried again, as long as time allows. */
export const createOsvHttp = ({ url, timeoutMs, fetch = globalThis.fetch }: OsvSettings) => {
  const base = url.replace(/\/$/, '');

  const exchange = async ({ path, body }: OsvRequest<unknown>, ms: number): Promise<string> => {
    const post = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    };
    const signal = AbortSignal.timeout(ms);
    let response: Response | undefined;
    try {
      response = await fetch(`${base}${path}`, { ...(body === undefined ? {} : post), signal });
      if (response.ok) return await response.text();
      await response.body?.cancel();
    } catch (error) {
      throw faultOf(error, ms);
    }
    checkStatus(response);
    throw new OsvError(`OSV.dev answered with status ${response.status}`);
  };

  return <T>(request: OsvRequest<T>, patience: Patience): Promise<T> =>
    withRetries(async () => {
      const remainingMs = Math.max(1, Math.ceil(patience.until - performance.now()));
      return parse(await exchange(request, Math.min(timeoutMs, remainingMs)), request);
    }, patience);
};

export type OsvHttp = ReturnType<typeof createOsvHttp>;
