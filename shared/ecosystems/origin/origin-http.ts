import packageJson from '../../../package.json' with { type: 'json' };
import { parseJson } from '../../util/json.ts';
import {
  isAsSafe,
  type Outbound,
  type OutboundAnswer,
  type OutboundSettings,
  openOutbound,
} from '../../util/outbound-http/outbound-http.ts';
import { readBounded } from '../../util/outbound-http/read-bounded.ts';
import {
  describeStatus,
  type OutboundRetryOptions,
  requestWithin,
} from '../../util/outbound-http/request-within.ts';
import { createSemaphore, type Semaphore } from '../../util/outbound-http/semaphore.ts';
import type { OutboundRequest } from '../../util/outbound-http/send-request.ts';
import { UpstreamError } from '../../util/outbound-http/upstream-error.ts';
import { serviceName } from '../../util/service-name.ts';

/** One request to an origin. */
export interface OriginRequest {
  /** Path relative to the origin's base address, or a full URL that the origin returned. */
  readonly path: string | URL;
  readonly accept: string;
  /** Size limit of the decompressed response body, in bytes. */
  readonly maxBytes: number;
  /** `ETag` of an earlier response. If it is still current, the origin may answer without a body. */
  readonly etag?: string | undefined;
  /** True to request the headers only (HEAD). */
  readonly headersOnly?: boolean;
}

/** Refusal of a request that lacks a valid authorization (401). */
export interface Refusal {
  readonly url: URL;
  /** Value of `WWW-Authenticate`; null without one. */
  readonly challenge: string | null;
  /** Authorization that was refused; undefined if the request had none. */
  readonly refused: string | undefined;
  /** True if the refused authorization was a renewed one. */
  readonly isAgain: boolean;
}

/** Authorization of the requests to an origin. */
export interface OriginAccess {
  /** Returns the `Authorization` of a request; undefined for none. */
  readonly authorize: (url: URL) => string | undefined;
  /** Returns the authorization with which a refused request is sent once more; undefined if there is none. */
  readonly renew: (
    refusal: Refusal,
    send: Outbound,
    signal: AbortSignal,
  ) => Promise<string | undefined>;
}

/** Access without any authorization. */
const anonymous: OriginAccess = {
  authorize: () => undefined,
  renew: () => Promise.resolve(undefined),
};

/** Successful response of an origin. */
export interface OriginAnswer {
  /** Final URL of the response, after redirects. */
  readonly url: URL;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** True if the earlier response is still current: there are no bytes. Only for a request with an `etag`. */
  readonly isUnchanged?: boolean;
}

/** Connection to an origin for the upstream fetch of one version. Its requests share one deadline. */
export interface Origin {
  /** Host name of the origin, for error messages. */
  readonly host: string;
  /**
   * Sends a request to the origin; undefined if the origin answers 404 or 410.
   * @throws {UpstreamError} if the request fails, or its URL is not allowed
   */
  ask(request: OriginRequest): Promise<OriginAnswer | undefined>;
  /** Returns a URL that upstream named, if it is below the origin's base address; undefined for any other text. */
  findOwn(address: string): URL | undefined;
  /** Semaphore for large responses: only one of them may be in memory at a time. */
  readonly oneAtATime: Semaphore;
}

/** Settings of HTTP requests to origins. */
export interface OriginHttpSettings extends OutboundSettings {
  /** Time limit of one request, in milliseconds. */
  readonly timeoutMs: number;
}

const mostAtOnce = 4;

const userAgent = `${serviceName}/${packageJson.version}`;

const isMissing = (status: number): boolean => status === 404 || status === 410;

const toBase = (address: string): URL => new URL(address.endsWith('/') ? address : `${address}/`);

/** Prepares requests to an origin, whose address may have a path. At most four requests run concurrently. */
export const createOriginHttp = (
  address: string,
  settings: OriginHttpSettings,
  access: OriginAccess = anonymous,
) => {
  const { timeoutMs } = settings;
  const base = toBase(address);
  const { host } = base;
  const outbound = openOutbound(host, base, settings);
  const turns = createSemaphore(mostAtOnce);
  const oneAtATime = createSemaphore(1);

  /** Sends a request, and with a new authorization if the origin refuses it: twice at most, as an account can have changed. */
  const send = async (
    first: URL,
    request: Omit<OutboundRequest, 'signal'>,
    signal: AbortSignal,
  ): Promise<OutboundAnswer> => {
    const sendWith = (authorization: string | undefined): Promise<OutboundAnswer> => {
      const added = authorization === undefined ? {} : { Authorization: authorization };
      return outbound(first, { ...request, headers: { ...request.headers, ...added }, signal });
    };
    let authorization = access.authorize(first);
    let answer = await sendWith(authorization);
    for (const isAgain of [false, true]) {
      const { status, headers } = answer.response;
      // Only the origin itself may challenge: a host behind a redirect gets no authorization.
      if (status !== 401 || answer.url.origin !== first.origin) return answer;
      // Its body would keep the connection while the authorization is renewed.
      await answer.response.body?.cancel();
      const challenge = headers.get('WWW-Authenticate');
      const refusal = { url: first, challenge, refused: authorization, isAgain };
      authorization = await access.renew(refusal, outbound, signal);
      if (authorization === undefined) return answer;
      answer = await sendWith(authorization);
    }
    return answer;
  };

  const exchange = async (
    { path, accept, maxBytes, etag, headersOnly = false }: OriginRequest,
    signal: AbortSignal,
  ): Promise<OriginAnswer | undefined> => {
    const first = typeof path === 'string' ? new URL(`./${path}`, base) : path;
    const headers = {
      ...{ Accept: accept, 'User-Agent': userAgent },
      ...(etag !== undefined && { 'If-None-Match': etag }),
    };
    const method = headersOnly ? 'HEAD' : 'GET';
    const { url, response } = await send(first, { method, headers }, signal);
    if (response.ok) {
      const bytes = await readBounded(host, response, maxBytes);
      return { url, headers: response.headers, bytes };
    }
    await response.body?.cancel();
    if (response.status === 304 && etag !== undefined) {
      return { url, headers: response.headers, bytes: Buffer.alloc(0), isUnchanged: true };
    }
    if (isMissing(response.status)) return undefined;
    throw describeStatus(host, response);
  };

  /** Returns the origin for the requests about one version, which share a deadline. */
  return (retryOptions: OutboundRetryOptions): Origin => ({
    host,
    oneAtATime,
    findOwn: (address) => {
      const url = URL.parse(address);
      return url?.href.startsWith(base.href) ? url : undefined;
    },
    ask: async (request) => {
      const { path } = request;
      if (path instanceof URL && !isAsSafe(base, path)) {
        throw new UpstreamError(`${host} has a private or reserved address, which is refused`);
      }
      return turns(() =>
        requestWithin({ who: host, timeoutMs }, retryOptions, (signal) =>
          exchange(request, signal),
        ),
      );
    },
  });
};

/** Returns the error for a response that is not in the expected format. */
export const explainNonsense = (host: string, { url, bytes }: OriginAnswer): UpstreamError => {
  const isPage = /^\s*<(?:!doctype html|html)/i.test(bytes.toString('utf8', 0, 200));
  const what = isPage ? 'a web page' : 'something that is not in its format';
  return new UpstreamError(`${host} answered ${url.pathname.slice(0, 300)} with ${what}`);
};

/**
 * Returns the response body, parsed as JSON.
 * @throws {UpstreamError} if the body is not JSON
 */
export const readJson = (host: string, answer: OriginAnswer): unknown => {
  const value = parseJson(answer.bytes.toString());
  if (value === undefined) throw explainNonsense(host, answer);
  return value;
};
