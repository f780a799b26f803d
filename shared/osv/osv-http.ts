import type * as z from 'zod';
import { parseRetryAfter } from '../retry.ts';
import { OsvError, OutOfTimeError, PassingFaultError } from './osv-error.ts';
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

const formatSeconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

const isTimeout = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'TimeoutError';

const describeConnectionFault = (error: unknown): PassingFaultError => {
  const cause =
    error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  const code = typeof cause?.code === 'string' ? ` (${cause.code})` : '';
  return new PassingFaultError(`The connection to OSV.dev failed${code}`);
};

const describeStatus = ({ status, headers }: Response): OsvError =>
  status === 429 || status >= 500
    ? new PassingFaultError(
        `OSV.dev answered with status ${status}`,
        parseRetryAfter(headers.get('Retry-After')),
      )
    : new OsvError(`OSV.dev refused the request with status ${status}`);

const parseAnswer = <T>(text: string, { path, answer }: OsvRequest<T>): T => {
  try {
    return answer.parse(JSON.parse(text));
  } catch {
    throw new OsvError(`OSV.dev answered ${path} with something that is not in its format`);
  }
};

/** Sends requests to OSV.dev and checks the answers. Faults that may pass are tried again, as long as time allows. */
export const createOsvHttp = ({ url, timeoutMs, fetch = globalThis.fetch }: OsvSettings) => {
  const base = url.replace(/\/$/, '');

  /** Where nothing came back within `ms`: less than a request may take is what was left of the whole. */
  const silence = (ms: number): PassingFaultError =>
    ms < timeoutMs
      ? new OutOfTimeError()
      : new PassingFaultError(`OSV.dev did not answer within ${formatSeconds(timeoutMs)}`);

  const exchange = async ({ path, body }: OsvRequest<unknown>, ms: number): Promise<string> => {
    const post = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    };
    const signal = AbortSignal.timeout(ms);
    try {
      const response = await fetch(`${base}${path}`, {
        ...(body === undefined ? {} : post),
        signal,
      });
      const text = await response.text();
      if (response.ok) return text;
      throw describeStatus(response);
    } catch (error) {
      if (error instanceof OsvError) throw error;
      throw isTimeout(error) ? silence(ms) : describeConnectionFault(error);
    }
  };

  return <T>(request: OsvRequest<T>, patience: Patience): Promise<T> =>
    withRetries(async () => {
      const remainingMs = Math.ceil(patience.until - performance.now());
      if (remainingMs <= 0) throw new OutOfTimeError();
      return parseAnswer(await exchange(request, Math.min(timeoutMs, remainingMs)), request);
    }, patience);
};

export type OsvHttp = ReturnType<typeof createOsvHttp>;
