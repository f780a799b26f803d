import { Agent, globalAgent, type ProxyEnv } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { isIP } from 'node:net';
import {
  describeMissingAccount,
  describeRefusedAccount,
  type FindAuthorization,
} from './accounts.ts';
import { type AddressKind, findAddressKind } from './address-kind.ts';
import {
  guardLookup,
  type LookUpAll,
  type Permits,
  RefusedAddressError,
} from './guarded-lookup.ts';
import { type Delivered, type OutboundRequest, sendRequest } from './send-request.ts';
import { UpstreamError } from './upstream-error.ts';

/** Replaceable parts of outbound requests. */
export interface OutboundSettings {
  /** Replaces sockets in tests. */
  readonly fetch?: typeof globalThis.fetch;
  /** Resolves names; by default with the operating system's resolver. */
  readonly lookUpAll?: LookUpAll;
  /** Returns the authorization for the configured host; by default all requests are anonymous. */
  readonly findAuthorization?: FindAuthorization | undefined;
}

/** Final response and its URL, after redirects. */
export interface OutboundAnswer {
  readonly url: URL;
  readonly response: Response;
}

/** Sends a request and follows its redirects. */
export type Outbound = (url: URL, request: OutboundRequest) => Promise<OutboundAnswer>;

const mostRedirects = 5;
/** Maximum length of a redirect URL. Longer ones would use memory for every redirect. */
const longestAddress = 2_000;
/** Time after which idle connections are closed. */
const idleMs = 5_000;

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** True if a redirect keeps the security of the connection: never from HTTPS to HTTP. */
export const isAsSafe = (from: URL, to: URL): boolean =>
  to.protocol === 'https:' || (to.protocol === 'http:' && from.protocol === 'http:');

/** True if a URL has a user name or a password, which the request would send as credentials. */
export const hasUserInfo = ({ username, password }: URL): boolean =>
  username !== '' || password !== '';

const findTarget = (who: string, from: URL, location: string | null): URL => {
  const target = location === null ? null : URL.parse(location, from.href);
  const isFit =
    target &&
    isAsSafe(from, target) &&
    !hasUserInfo(target) &&
    target.href.length <= longestAddress;
  if (isFit) return target;
  throw new UpstreamError(`${who} redirected to a URL that is not allowed`);
};

/** Returns the IP address in a URL, or undefined for a name. URL parsing normalizes all forms of IPv4 addresses. */
const findAddress = ({ hostname }: URL): string | undefined => {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? undefined : bare;
};

const isLocalName = ({ hostname }: URL): boolean => /(?:^|\.)localhost\.?$/.test(hostname);

/** Proxies of this machine, if Node is configured to use them. Proxies resolve names themselves. */
const { proxyEnv } = Reflect.get(globalAgent, 'options') as { readonly proxyEnv?: ProxyEnv };

const openAgents = (permits: Permits, lookUpAll: LookUpAll | undefined) => {
  const way = proxyEnv ? { proxyEnv } : { lookup: guardLookup(permits, lookUpAll) };
  const options = { keepAlive: true, timeout: idleMs, ...way };
  return { 'http:': new Agent(options), 'https:': new TlsAgent(options) };
};

/** Returns a request without credentials, which are for the origin of its first URL only. */
const withoutCredentials = ({ headers, ...request }: OutboundRequest): OutboundRequest => ({
  ...request,
  headers: Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'),
  ),
});

const withAuthorization = (request: OutboundRequest, value: string): OutboundRequest => ({
  ...request,
  headers: { ...request.headers, Authorization: value },
});

/**
 * Sends a request to a host with the host's account, and once more if the account has changed since.
 * @throws {RefusedRequestError} if the host refuses the account, or if it demands one that is missing
 */
const sendWithAccount = async (
  { host }: URL,
  request: OutboundRequest,
  find: FindAuthorization,
  send: (request: OutboundRequest) => Promise<Response>,
): Promise<Response> => {
  const sendAs = (value: string | undefined): Promise<Response> =>
    send(value === undefined ? request : withAuthorization(request, value));
  const first = await find(host);
  const response = await sendAs(first);
  if (response.status !== 401) return response;
  await response.body?.cancel();
  const renewed = await find(host, first ?? '');
  if (renewed === undefined) throw describeMissingAccount(host);
  const second = renewed === first ? undefined : await sendAs(renewed);
  if (second && second.status !== 401) return second;
  await second?.body?.cancel();
  throw describeRefusedAccount(host);
};

/**
 * Returns a sender for requests to a configured URL. The configured name may resolve to a private network, and a
 * configured IP address or `localhost` to this machine.
 * Redirects and other URLs come from external input. These must be public, or of the same network kind as the
 * configured host's address. Only the configured host gets its account. `who` is the host's name in error messages.
 */
export const openOutbound = (
  who: string,
  configured: URL,
  { fetch, lookUpAll, findAuthorization }: OutboundSettings = {},
): Outbound => {
  const literal = findAddress(configured);
  let ownKind: AddressKind | undefined =
    literal === undefined ? undefined : findAddressKind(literal);
  const permitsOwn: Permits = (kind) =>
    kind === 'public' || kind === 'private' || (kind === 'loopback' && isLocalName(configured));
  const permitsOther: Permits = (kind) =>
    kind === 'public' || (kind === ownKind && kind !== 'reserved');
  const own = openAgents(permitsOwn, lookUpAll);
  const others = openAgents(permitsOther, lookUpAll);

  const isOwn = ({ origin }: URL): boolean => origin === configured.origin;

  const exchange = async (url: URL, request: OutboundRequest): Promise<Delivered> => {
    if (fetch) return { response: await fetch(url, { ...request, redirect: 'manual' }) };
    const agents = isOwn(url) ? own : others;
    const agent = agents[url.protocol === 'https:' ? 'https:' : 'http:'];
    return sendRequest(url, request, agent);
  };

  const send = async (url: URL, request: OutboundRequest): Promise<Response> => {
    const address = findAddress(url);
    const kind = address === undefined ? undefined : findAddressKind(address);
    if (!isOwn(url) && kind && !permitsOther(kind))
      throw new RefusedAddressError(url.hostname, kind);
    const delivered = await exchange(url, request);
    if (isOwn(url) && delivered.address && !proxyEnv) ownKind = findAddressKind(delivered.address);
    return delivered.response;
  };

  return async (first, request) => {
    let url = first;
    for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
      const current = url;
      const isFirst = current.origin === first.origin;
      const response =
        findAuthorization && isFirst && isOwn(current)
          ? await sendWithAccount(current, request, findAuthorization, (one) => send(current, one))
          : await send(current, isFirst ? request : withoutCredentials(request));
      if (!isRedirect(response.status)) return { url, response };
      await response.body?.cancel();
      // Redirects of a POST must not change its method.
      if (request.method === 'POST' && response.status < 307) {
        throw new UpstreamError(`${who} redirected a POST request`);
      }
      url = findTarget(who, url, response.headers.get('Location'));
    }
    throw new UpstreamError(`${who} redirected more than ${mostRedirects} times`);
  };
};
