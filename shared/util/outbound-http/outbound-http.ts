import { Agent, globalAgent, type ProxyEnv } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { isIP } from 'node:net';
import { type AddressKind, findAddressKind } from './address-kind.ts';
import {
  guardLookup,
  type LookUpAll,
  type Permits,
  RefusedAddressError,
} from './guarded-lookup.ts';
import { type Delivered, type OutboundRequest, sendRequest } from './send-request.ts';
import { AskError } from './upstream-error.ts';

/** How requests leave the registry. */
export interface OutboundSettings {
  /** Takes the place of sockets, in tests. */
  readonly fetch?: typeof globalThis.fetch;
  /** Looks up names; by default, as the operating system does. */
  readonly lookUpAll?: LookUpAll;
}

/** What answered in the end, maybe after redirects. */
export interface OutboundAnswer {
  readonly url: URL;
  readonly response: Response;
}

/** Sends a request to an address and follows its redirects. */
export type Outbound = (url: URL, request: OutboundRequest) => Promise<OutboundAnswer>;

const mostRedirects = 5;
/** Longer than any address has to be; others would be put together with it thousands of times. */
const longestAddress = 2_000;
/** A connection that nobody uses is closed after that. */
const idleMs = 5_000;

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** Whether an origin that was reached in one way may send on to the other: never to where others can read along. */
export const isAsSafe = (from: URL, to: URL): boolean =>
  to.protocol === 'https:' || (to.protocol === 'http:' && from.protocol === 'http:');

const findTarget = (who: string, from: URL, location: string | null): URL => {
  const target = location === null ? null : URL.parse(location, from.href);
  const isFit =
    target && isAsSafe(from, target) && !target.username && target.href.length <= longestAddress;
  if (isFit) return target;
  throw new AskError(`${who} redirected to nowhere that may be asked`);
};

/** The IP address that a URL has for a host; undefined if that is a name. URLs write every form of an IPv4 address in one way. */
const findAddress = ({ hostname }: URL): string | undefined => {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? undefined : bare;
};

const isLocalName = ({ hostname }: URL): boolean => /(?:^|\.)localhost\.?$/.test(hostname);

/** The proxies of this machine, where Node is told to use them: they look names up by themselves. */
const { proxyEnv } = Reflect.get(globalAgent, 'options') as { readonly proxyEnv?: ProxyEnv };

const openAgents = (permits: Permits, lookUpAll: LookUpAll | undefined) => {
  const way = proxyEnv ? { proxyEnv } : { lookup: guardLookup(permits, lookUpAll) };
  const options = { keepAlive: true, timeout: idleMs, ...way };
  return { 'http:': new Agent(options), 'https:': new TlsAgent(options) };
};

/**
 * Opens the way to a configured address, which may be anywhere: a name in settings may lead into a private network, and an
 * IP address or `localhost` to this machine. To any other address, which others name, requests go only if it is public, or
 * of the kind of the address by which the configured one answered. `who` is what reasons call it.
 */
export const openOutbound = (
  who: string,
  configured: URL,
  { fetch, lookUpAll }: OutboundSettings = {},
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
      const response = await send(url, request);
      if (!isRedirect(response.status)) return { url, response };
      await response.body?.cancel();
      // What is posted is not turned into a question about another page.
      if (request.method === 'POST' && response.status < 307) {
        throw new AskError(`${who} redirected what was posted`);
      }
      url = findTarget(who, url, response.headers.get('Location'));
    }
    throw new AskError(`${who} redirected more than ${mostRedirects} times`);
  };
};
