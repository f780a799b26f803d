/** Origin on the loopback interface, which replays the answers of the upstream registries. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Addresses, moveAddresses, toOriginAddresses, toUpstreamUrl } from './addresses.ts';
import type { KeptAnswer, KeptAnswers } from './kept-answers.ts';

export interface OriginServer {
  readonly url: string;
  readonly addresses: Addresses;
  /** Path and query of each request since the last call. */
  takeRequests(): readonly string[];
  close(): void;
}

/** Answer in memory; an index page is compressed. */
interface ReadyAnswer extends KeptAnswer {
  readonly isZipped: boolean;
}

const isIndexPage = ({ headers }: KeptAnswer): boolean =>
  /json|html/.test(headers['content-type'] ?? '');

/** Files have one form, whatever their clients accept. */
const isFile = (path: string): boolean =>
  /\.(?:tgz|whl|metadata|gz|zip|jar|pom|xml|sha1|sha256|sha512|md5|asc)$/.test(path);

/** Returns the first accepted media type, because clients word the rest of the header differently. */
const chooseAccept = ({ headers }: IncomingMessage, path: string): string =>
  isFile(path) ? '*/*' : (headers.accept ?? '*/*').split(/[,;]/, 1)[0] || '*/*';

const accepts = ({ headers }: IncomingMessage, coding: string): boolean =>
  String(headers['accept-encoding'] ?? '').includes(coding);

const send = (request: IncomingMessage, response: ServerResponse, answer: ReadyAnswer): void => {
  const { status, headers, body, isZipped } = answer;
  const { etag } = headers;
  if (etag !== undefined && request.headers['if-none-match'] === etag) {
    response.writeHead(304, { etag }).end();
    return;
  }
  const staysZipped = isZipped && accepts(request, 'gzip');
  const sent = isZipped && !staysZipped ? gunzipSync(body) : body;
  response
    .writeHead(status, {
      ...headers,
      ...(staysZipped && { 'content-encoding': 'gzip' }),
      'content-length': sent.length,
    })
    .end(sent);
};

export interface OriginOptions {
  readonly upstream: Addresses;
  readonly kept: KeptAnswers;
  /** Delay of each answer in milliseconds, as of a network. */
  readonly delayMs: number;
}

/** Starts the origin. It asks upstream once for each file and index page, and replays the answer from memory. */
export const startOrigin = async ({
  upstream,
  kept,
  delayMs,
}: OriginOptions): Promise<OriginServer> => {
  const requests: string[] = [];
  const hosts = new Set<string>();
  const ready = new Map<string, Promise<ReadyAnswer>>();
  let url = '';

  const prepare = async (upstreamUrl: string, accept: string): Promise<ReadyAnswer> => {
    const answer = await kept.find({ url: upstreamUrl, accept });
    if (!isIndexPage(answer)) return { ...answer, isZipped: false };
    const moved = moveAddresses(answer.body.toString(), { url, upstream });
    for (const host of moved.hosts) hosts.add(host);
    return { ...answer, body: gzipSync(moved.text), isZipped: true };
  };
  const find = (path: string, accept: string): Promise<ReadyAnswer> | undefined => {
    const upstreamUrl = toUpstreamUrl(path, { upstream, hosts });
    if (upstreamUrl === undefined) return undefined;
    const key = `${accept} ${path}`;
    const known = ready.get(key) ?? prepare(upstreamUrl, accept);
    ready.set(key, known);
    known.catch(() => ready.delete(key));
    return known;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    requests.push(path);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const found = isRead ? find(path, chooseAccept(request, path)) : undefined;
    if (delayMs > 0) await delay(delayMs);
    if (found) send(request, response, await found);
    else response.writeHead(404).end();
  };
  const server = createServer((request, response) => {
    request.resume();
    answer(request, response).catch((error: unknown) => {
      process.stderr.write(`${error}\n`);
      response.writeHead(502).end();
    });
  });
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    addresses: toOriginAddresses(url),
    takeRequests: () => requests.splice(0),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
