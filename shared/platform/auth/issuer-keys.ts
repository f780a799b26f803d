import { createLocalJWKSet, type JSONWebKeySet } from 'jose';
import { isObject, type JsonObject, parseJson } from '../../util/json.ts';
import { openOutbound } from '../../util/outbound-http/outbound-http.ts';
import { readBounded } from '../../util/outbound-http/read-bounded.ts';
import { UpstreamError } from '../../util/outbound-http/upstream-error.ts';
import { type CachedValue, createCachedValue } from './cached-value.ts';

/** Limits of an issuer's keys, in milliseconds. */
const limits = { lifetimeMs: 300_000, refreshIntervalMs: 10_000, staleLimitMs: 600_000 };

/** Time limit for both documents of an issuer, in milliseconds: requests wait for them. */
const timeoutMs = 4000;

/** Maximum size of a document, in bytes. Key sets of large providers have 20 kB. */
const maxBytes = 262_144;

/** Returns the URL of the document that describes an issuer (OpenID Connect Discovery 1.0, section 4). */
export const toDiscoveryUrl = (issuer: string): URL =>
  new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);

/** Loads a JSON object of an issuer. */
export type LoadDocument = (url: URL, signal: AbortSignal) => Promise<JsonObject>;

/** Returns the loader of an issuer's documents, from the issuer itself and from other hosts that it names. */
const openIssuer = (issuer: string): LoadDocument => {
  const send = openOutbound('The issuer', new URL(issuer));
  return async (url, signal) => {
    const { response } = await send(url, { headers: { Accept: 'application/json' }, signal });
    if (!response.ok)
      throw new UpstreamError(`The issuer responded with status ${response.status}`);
    const body = parseJson((await readBounded('The issuer', response, maxBytes)).toString());
    if (isObject(body)) return body;
    throw new UpstreamError('The issuer did not respond with a JSON object');
  };
};

/**
 * Returns the description of an issuer, by its discovery document.
 * @throws {UpstreamError} if the document is missing, or is another issuer's
 */
export const discoverIssuer = async (
  issuer: string,
  load = openIssuer(issuer),
  signal = AbortSignal.timeout(timeoutMs),
): Promise<JsonObject> => {
  const found = await load(toDiscoveryUrl(issuer), signal);
  if (found['issuer'] === issuer) return found;
  throw new UpstreamError('The discovery document is that of another issuer');
};

const findKeysUrl = (issuer: string, { jwks_uri: text }: JsonObject): URL => {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  // As for redirects: keys that travel without TLS could be replaced on their way.
  if (url && [new URL(issuer).protocol, 'https:'].includes(url.protocol)) return url;
  throw new UpstreamError('The discovery document has no usable jwks_uri');
};

/** Finds the key of an ID token among the keys of its issuer. */
export type KeySet = ReturnType<typeof createLocalJWKSet>;

/** The keys of an issuer in a function instance. */
export type IssuerKeys = CachedValue<KeySet>;

interface IssuerKeysParts {
  readonly issuer: string;
  /** Returns the time in epoch milliseconds. */
  readonly now: () => number;
  /** Receives the error of each failed load. */
  readonly noteFailure: (error: unknown) => void;
  /** Loads the issuer's documents; by default over the network. */
  readonly load?: LoadDocument;
}

/** Returns the keys of an issuer, which this function instance loads again every five minutes and for an unknown key. */
export const createIssuerKeys = ({
  issuer,
  now,
  noteFailure,
  load = openIssuer(issuer),
}: IssuerKeysParts): IssuerKeys =>
  createCachedValue({
    ...limits,
    now,
    noteFailure,
    load: async () => {
      const signal = AbortSignal.timeout(timeoutMs);
      const description = await discoverIssuer(issuer, load, signal);
      const keys = await load(findKeysUrl(issuer, description), signal);
      return createLocalJWKSet(keys as unknown as JSONWebKeySet);
    },
  });
