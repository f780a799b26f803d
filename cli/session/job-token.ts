import { findTokenFault } from '../../shared/api/client/credentials.ts';
import { findProxiedFetch } from '../../shared/api/client/node-transport.ts';
import { parseJson, readTextAt } from '../../shared/util/json.ts';
import { exponentialDelay, retry } from '../../shared/util/retry.ts';
import { isForAudience, readExpiry } from './claims.ts';
import type { JobTokenSource } from './environment.ts';
import { IdTokenError } from './id-token-error.ts';
import { describeProviderFault } from './provider-fault.ts';

/** Time limit of one request to GitHub, in milliseconds. */
const timeoutMs = 15_000;
const attempts = 3;
/** An ID token is replaced this long before it expires. */
const reserveMs = 60_000;

/** GitHub answered a request for an ID token without one. */
class AnswerError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(status === 200 ? 'its answer has none' : `it answered ${status}`);
    this.status = status;
  }
}

const isRetryable = (error: unknown): boolean =>
  !(error instanceof AnswerError) || error.status >= 500 || error.status === 429;

type GithubRequest = NonNullable<Extract<JobTokenSource, { readonly system: 'github' }>['request']>;

const requestOnce = async ({ url, token }: GithubRequest, audience: string): Promise<string> => {
  const send = (await findProxiedFetch()) ?? fetch;
  const address = new URL(url);
  address.searchParams.set('audience', audience);
  const response = await send(address.href, {
    headers: { Authorization: `bearer ${token}`, Accept: 'application/json' },
    // A redirect would forward the token.
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  if (response.status !== 200) throw new AnswerError(response.status);
  const value = readTextAt(parseJson(text), 'value');
  if (value === undefined || findTokenFault(value)) throw new AnswerError(response.status);
  return value;
};

/**
 * Requests an ID token of the job from GitHub.
 * @throws {IdTokenError} if GitHub issues none
 */
const requestFromGithub = async (request: GithubRequest, audience: string): Promise<string> => {
  try {
    return await retry(() => requestOnce(request, audience), {
      ...{ isRetryable, attempts, jitter: 1 },
      delayMs: exponentialDelay({ firstMs: 500, longestMs: 5000 }),
    });
  } catch (error) {
    throw new IdTokenError({
      code: isRetryable(error) ? 'unreachable' : 'invalid_token',
      detail: `GitHub issued no ID token for the job: ${describeProviderFault(error)}.`,
      advice: ['Check the permission id-token: write of the job, or set REGISTRY_TOKEN.'],
      cause: error,
    });
  }
};

/**
 * Returns the ID token that GitLab gave to the job.
 * @throws {IdTokenError} if it has expired, or is for another audience
 */
const checkGiven = (idToken: string, audience: string): string => {
  const fix = `Set it with id_tokens: REGISTRY_ID_TOKEN: aud: ${audience}`;
  if (findTokenFault(idToken)) {
    throw new IdTokenError({
      ...{ code: 'invalid_token', detail: 'REGISTRY_ID_TOKEN is no ID token.', advice: [fix] },
    });
  }
  if (!isForAudience(idToken, audience)) {
    const detail = 'The ID token in REGISTRY_ID_TOKEN is for another audience.';
    throw new IdTokenError({ code: 'invalid_token', detail, advice: [fix] });
  }
  if ((readExpiry(idToken) ?? Number.POSITIVE_INFINITY) <= Date.now()) {
    const detail = 'The ID token in REGISTRY_ID_TOKEN has expired.';
    const advice = ['Set a longer timeout for the job: its ID token is valid for that time.'];
    throw new IdTokenError({ code: 'invalid_token', detail, advice });
  }
  return idToken;
};

const refuseLacking = (system: JobTokenSource['system'], audience: string): IdTokenError =>
  system === 'github'
    ? new IdTokenError({
        code: 'missing_token',
        detail: 'The job has no ID token: it lacks the permission id-token: write.',
        advice: [
          'Add id-token: write to the permissions of the job, or set REGISTRY_TOKEN. Pull requests of forks get neither.',
        ],
      })
    : new IdTokenError({
        code: 'missing_token',
        detail: 'The job has no ID token: REGISTRY_ID_TOKEN is not set.',
        advice: [
          `Add id_tokens: REGISTRY_ID_TOKEN: aud: ${audience} to the job, or set REGISTRY_TOKEN.`,
        ],
      });

/**
 * Returns the function that returns the ID token of a CI job for an audience, and requests it again shortly before it expires.
 * It throws an IdTokenError for a job without an ID token.
 */
export const createJobToken = (job: JobTokenSource, audience: string): (() => Promise<string>) => {
  let cached: { readonly token: Promise<string>; readonly until: number } | undefined;
  const requestAgain = (request: GithubRequest): Promise<string> => {
    const token = requestFromGithub(request, audience);
    const entry = { token, until: Number.POSITIVE_INFINITY };
    cached = entry;
    token.then(
      (value) => {
        cached = { token, until: (readExpiry(value) ?? 0) - reserveMs };
      },
      () => {
        cached = undefined;
      },
    );
    return token;
  };
  return async () => {
    if (job.system === 'gitlab') {
      if (job.idToken === undefined) throw refuseLacking(job.system, audience);
      return checkGiven(job.idToken, audience);
    }
    if (job.request === undefined) throw refuseLacking(job.system, audience);
    if (cached && Date.now() < cached.until) return cached.token;
    return requestAgain(job.request);
  };
};
