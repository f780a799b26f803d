import packageJson from '../../../package.json' with { type: 'json' };
import { parseJson } from '../../util/json.ts';
import {
  isAsSafe,
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
import { UpstreamError } from '../../util/outbound-http/upstream-error.ts';

/** One request to an origin. */
export interface OriginRequest {
  /** Below the origin's address; or a whole address that the origin told. */
  readonly path: string | URL;
  readonly accept: string;
  /** The longest answer that is read, decompressed. */
  readonly maxBytes: number;
}

/** What an origin answered with success. */
export interface OriginAnswer {
  /** Where it came from in the end. */
  readonly url: URL;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** An origin, for as long as the facts of one version may take. */
export interface Origin {
  /** What reasons call it. */
  readonly host: string;
  /**
   * Asks it; undefined is what it does not have.
   * @throws {UpstreamError}
   */
  ask(request: OriginRequest): Promise<OriginAnswer | undefined>;
  /** For answers that may be so long that no two are to be held at once. */
  readonly oneAtATime: Semaphore;
}

/** How origins are asked. */
export interface OriginHttpSettings extends OutboundSettings {
  /** How long one request may take. */
  readonly timeoutMs: number;
}

const mostAtOnce = 4;

const userAgent = `${packageJson.name}/${packageJson.version}`;

const isMissing = (status: number): boolean => status === 404 || status === 410;

const toBase = (address: string): URL => new URL(address.endsWith('/') ? address : `${address}/`);

/** Opens an origin by its address, with or without a path: at most four requests to it at once. */
export const createOriginHttp = (address: string, settings: OriginHttpSettings) => {
  const { timeoutMs } = settings;
  const base = toBase(address);
  const { host } = base;
  const outbound = openOutbound(host, base, settings);
  const turns = createSemaphore(mostAtOnce);
  const oneAtATime = createSemaphore(1);

  const exchange = async (
    { path, accept, maxBytes }: OriginRequest,
    signal: AbortSignal,
  ): Promise<OriginAnswer | undefined> => {
    const first = typeof path === 'string' ? new URL(`./${path}`, base) : path;
    const headers = { Accept: accept, 'User-Agent': userAgent };
    const { url, response } = await outbound(first, { headers, signal });
    if (response.ok) {
      const bytes = await readBounded(host, response, maxBytes);
      return { url, headers: response.headers, bytes };
    }
    await response.body?.cancel();
    if (isMissing(response.status)) return undefined;
    throw describeStatus(host, response);
  };

  /** Returns the origin for the requests about one version, which share a deadline. */
  return (retryOptions: OutboundRetryOptions): Origin => ({
    host,
    oneAtATime,
    ask: async (request) => {
      const { path } = request;
      if (path instanceof URL && !isAsSafe(base, path)) {
        throw new UpstreamError(`${host} names an address that may not be asked`);
      }
      return turns(() =>
        requestWithin({ who: host, timeoutMs }, retryOptions, (signal) =>
          exchange(request, signal),
        ),
      );
    },
  });
};

/** An answer that is not in the format that it should have. */
export const explainNonsense = (host: string, { url, bytes }: OriginAnswer): UpstreamError => {
  const isPage = /^\s*<(?:!doctype html|html)/i.test(bytes.toString('utf8', 0, 200));
  const what = isPage ? 'a web page' : 'something that is not in its format';
  return new UpstreamError(`${host} answered ${url.pathname.slice(0, 300)} with ${what}`);
};

/**
 * What an answer says as JSON.
 * @throws {UpstreamError} if it is none
 */
export const readJson = (host: string, answer: OriginAnswer): unknown => {
  const value = parseJson(answer.bytes.toString());
  if (value === undefined) throw explainNonsense(host, answer);
  return value;
};
