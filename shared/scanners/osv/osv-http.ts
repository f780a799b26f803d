import type * as z from 'zod';
import { type OutboundSettings, openOutbound } from '../../util/outbound-http/outbound-http.ts';
import { readBounded } from '../../util/outbound-http/read-bounded.ts';
import {
  askWithin,
  describeStatus,
  type OutboundRetryOptions,
} from '../../util/outbound-http/request-within.ts';
import { AskError } from '../../util/outbound-http/upstream-error.ts';

/** Where and how to ask OSV.dev. */
export interface OsvSettings extends OutboundSettings {
  /** The address without a path, such as `https://api.osv.dev`. */
  readonly url: string;
  /** How long one request may take. */
  readonly timeoutMs: number;
  /** How long one call of the client may take, with all its requests, retries and waits. */
  readonly deadlineMs?: number;
  /** The longest wait before the first retry. */
  readonly backoffMs?: number;
}

/** One request, and the schema of its answer. */
export interface OsvRequest<T> {
  readonly path: string;
  /** What is posted; without it, the request is a GET. */
  readonly body?: unknown;
  readonly answer: z.ZodType<T>;
}

const who = 'OSV.dev';

/** Records of the largest vulnerabilities have some megabytes. */
const maxAnswerBytes = 32 * 1024 * 1024;

const parseAnswer = <T>(text: string, { path, answer }: OsvRequest<T>): T => {
  try {
    return answer.parse(JSON.parse(text));
  } catch {
    throw new AskError(`OSV.dev answered ${path} with something that is not in its format`);
  }
};

/** Sends requests to OSV.dev and checks the answers. Faults that may pass are tried again, as long as time allows. */
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
    const asked = body === undefined ? { headers: {} } : post;
    const { response } = await outbound(new URL(`${base}${path}`), { ...asked, signal });
    const text = await readBounded(who, response, maxAnswerBytes);
    if (response.ok) return text.toString();
    throw describeStatus(who, response);
  };

  return <T>(request: OsvRequest<T>, retryOptions: OutboundRetryOptions): Promise<T> =>
    askWithin({ who, timeoutMs }, retryOptions, async (signal) =>
      parseAnswer(await exchange(request, signal), request),
    );
};

export type OsvHttp = ReturnType<typeof createOsvHttp>;
