import { isObject, parseJson } from '../../../util/json.ts';
import {
  describeRefusedAccount,
  type FindAuthorization,
} from '../../../util/outbound-http/accounts.ts';
import { hasUserInfo, isAsSafe, type Outbound } from '../../../util/outbound-http/outbound-http.ts';
import { readBounded } from '../../../util/outbound-http/read-bounded.ts';
import { describeStatus } from '../../../util/outbound-http/request-within.ts';
import { UpstreamError } from '../../../util/outbound-http/upstream-error.ts';
import type { OriginAccess, Refusal } from '../../origin/origin-http.ts';
import { type Challenge, parseChallenges } from './challenge.ts';
import { findAccountHost, type ImageRegistry } from './image-registry.ts';

/** Maximum size of a token response in bytes. Real ones have 5 KB. */
const maxTokenBytes = 64 * 1024;
/** Lifetime of a token without its own, in seconds. Source: the distribution project's token specification. */
const defaultLifetimeSeconds = 60;
/** Time in milliseconds by which a token ends earlier here, so that none expires on its way. */
const marginMs = 5_000;
/** Maximum number of tokens that are kept. */
const mostTokens = 1_000;

interface Token {
  readonly authorization: string;
  readonly until: number;
}

/** Returns the repository of a request to `/v2/REPOSITORY/manifests/…` or to another part of it. */
const findRepository = ({ pathname }: URL): string =>
  /\/v2\/(.+)\/(?:manifests|blobs|tags|referrers)\//.exec(pathname)?.[1] ?? '';

const readToken = (who: string, bytes: Buffer): Token => {
  const answer = parseJson(bytes.toString());
  const { token, access_token, expires_in } = isObject(answer) ? answer : {};
  const value = [token, access_token].find((one) => typeof one === 'string' && one !== '');
  // Other characters could add a header.
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
    throw new UpstreamError(`${who} answered without a token`);
  }
  const seconds = typeof expires_in === 'number' && expires_in > 0 ? expires_in : undefined;
  const lifetimeMs = (seconds ?? defaultLifetimeSeconds) * 1000;
  return { authorization: `Bearer ${value}`, until: Date.now() + lifetimeMs - marginMs };
};

/**
 * Returns the URL of the token server that a challenge names, for reading one repository.
 * @throws {UpstreamError} if the URL is less safe than the registry's
 */
const toTokenUrl = (registry: URL, { parameters }: Challenge, repository: string): URL => {
  const realm = URL.parse(parameters.get('realm') ?? '');
  if (
    !realm ||
    hasUserInfo(realm) ||
    !/^https?:$/.test(realm.protocol) ||
    !isAsSafe(registry, realm)
  ) {
    throw new UpstreamError(`${registry.host} names a token server that is not allowed`);
  }
  const service = parameters.get('service');
  if (service !== undefined) realm.searchParams.set('service', service);
  // Its own scope: a challenge could ask for more than reading.
  realm.searchParams.set('scope', `repository:${repository}:pull`);
  return realm;
};

/** Fetches a token. Resolves to undefined if the token server refuses the account. */
const fetchToken = async (
  url: URL,
  account: string | undefined,
  send: Outbound,
  signal: AbortSignal,
): Promise<Token | undefined> => {
  const headers = {
    Accept: 'application/json',
    ...(account !== undefined && { Authorization: account }),
  };
  const { response } = await send(url, { headers, signal });
  if (response.ok) return readToken(url.host, await readBounded(url.host, response, maxTokenBytes));
  await response.body?.cancel();
  if (response.status === 401 && account !== undefined) return undefined;
  throw describeStatus(url.host, response);
};

/**
 * Creates the access to the API of an image registry, with a token for each repository. Without an account at the registry, tokens
 * are those of anonymous users. An account with a token of its own needs no other one. Source: the token authentication specification of the distribution project.
 */
export const createRegistryAccess = (
  registry: Pick<ImageRegistry, 'url'>,
  findAuthorization: FindAuthorization,
): OriginAccess => {
  const host = findAccountHost(registry);
  const tokens = new Map<string, Token>();

  const keep = (repository: string, token: Token): string => {
    if (tokens.size >= mostTokens) tokens.clear();
    tokens.set(repository, token);
    return token.authorization;
  };

  const renew = async (
    { url, challenge, refused, isAgain }: Refusal,
    send: Outbound,
    signal: AbortSignal,
  ): Promise<string | undefined> => {
    const repository = findRepository(url);
    tokens.delete(repository);
    const challenges = parseChallenges(challenge);
    const bearer = challenges.find(
      ({ scheme, parameters }) => scheme === 'bearer' && parameters.has('realm'),
    );
    const isBasic = challenges.some(({ scheme }) => scheme === 'basic');
    if (!bearer && !isBasic) return undefined;
    const account = await findAuthorization(host, refused);
    if (bearer && !account?.startsWith('Bearer ')) {
      // The registry refused a new token, so that another one would not help.
      if (isAgain) return undefined;
      const tokenUrl = toTokenUrl(url, bearer, repository);
      const token = await fetchToken(tokenUrl, account, send, signal);
      if (token) return keep(repository, token);
      const renewed = await findAuthorization(host, account);
      const second =
        renewed === account ? undefined : await fetchToken(tokenUrl, renewed, send, signal);
      if (second) return keep(repository, second);
      throw describeRefusedAccount(host);
    }
    if (account === undefined) return undefined;
    if (account === refused) throw describeRefusedAccount(host);
    return keep(repository, { authorization: account, until: Number.POSITIVE_INFINITY });
  };

  return {
    authorize: (url) => {
      const token = tokens.get(findRepository(url));
      return token && token.until > Date.now() ? token.authorization : undefined;
    },
    renew,
  };
};
