import type * as z from 'zod';
import { type OutboundSettings, openOutbound } from '../../util/outbound-http/outbound-http.ts';
import { readBounded } from '../../util/outbound-http/read-bounded.ts';
import {
  describeStatus,
  type OutboundRetryOptions,
  requestWithin,
} from '../../util/outbound-http/request-within.ts';
import { UpstreamError } from '../../util/outbound-http/upstream-error.ts';

/** Settings of the OSV.dev client. */
export interface OsvSettings extends OutboundSettings {
  /** Base URL, such as `https://api.osv.dev`. */
  readonly url: string;
  /** Timeout of one request in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum duration of a client call with all requests, retries and delays, in milliseconds. */
  readonly deadlineMs?: number;
  /** Maximum delay before the first retry, in milliseconds. */
  readonly backoffMs?: number;
}

/** Request with the schema of its response. */
export interface OsvRequest<T> {
  readonly path: string;
  /** JSON body of a POST request; without it, the request is a GET. */
  readonly body?: unknown;
  readonly answer: z.ZodType<T>;
}

const who = 'OSV.dev';

/** Maximum response size. Records of the largest vulnerabilities have several megabytes. */
const maxAnswerBytes = 32 * 1024 * 1024;

const parseAnswer = <T>(text: string, { path, answer }: OsvRequest<T>): T => {
  try {
    return answer.parse(JSON.parse(text));
  } catch {
    throw new UpstreamError(`OSV.dev returned an invalid response to ${path}`);
  }
};

/**
 * Creates a sender of OSV.dev requests that validates responses. Retryable failures are retried before the deadline.
 */
export const createOsvHttp = (settings: OsvSettings) => {
  const { timeoutMs } = settings;
  const base = settings.url.replace(/\/$/, '');
  const outbound = openOutbound(who, new URL(base), settings);

  const exchange = async (
    { path, body }: OsvRequest<unknown>,
    signal: AbortSignal,
  ): Promise<string> => {
    const post = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    } as const;
    const options = body === undefined ? { headers: {} } : post;
    const { response } = await outbound(new URL(`${base}${path}`), { ...options, signal });
    const text = await readBounded(who, response, maxAnswerBytes);
    if (response.ok) return text.toString();
    throw describeStatus(who, response);
  };

  return <T>(request: OsvRequest<T>, retryOptions: OutboundRetryOptions): Promise<T> =>
    requestWithin({ who, timeoutMs }, retryOptions, async (signal) =>
      parseAnswer(await exchange(request, signal), request),
    );
};

export type OsvHttp = ReturnType<typeof createOsvHttp>;
