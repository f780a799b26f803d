/** HTTP request before routing. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface HttpRequest {
  readonly requestId: string;
  readonly receivedAt: Date;
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  /** Query as sent, without the question mark. */
  readonly query: string;
  /** Headers in order, with names as sent. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly protocol: string;
  readonly sourceIp: string;
  readonly port: number;
}

/** Headers that API Gateway does not forward, such as those of one connection. */
const dropped = [
  'connection',
  'content-length',
  'content-md5',
  'expect',
  'keep-alive',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
];

/** Returns the headers that API Gateway adds, or appends to the client's own value. */
const listForwardedHeaders = (
  sourceIp: string,
  port: number,
): readonly (readonly [string, string])[] => [
  ['X-Forwarded-For', sourceIp],
  ['X-Forwarded-Port', String(port)],
  ['X-Forwarded-Proto', 'http'],
  ['X-Amzn-Trace-Id', makeTraceId()],
];

const makeTraceId = (): string => {
  const seconds = Math.floor(Date.now() / 1000).toString(16);
  return `Root=1-${seconds}-${randomBytes(12).toString('hex')}`;
};

const pairUp = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));

const collectHeaders = (
  raw: readonly string[],
  added: readonly (readonly [string, string])[],
): HttpRequest['headers'] => {
  const own = added.map(([name]) => name.toLowerCase());
  const sent = pairUp(raw).filter(([name]) => !dropped.includes(name.toLowerCase()));
  const forwardedFor = sent
    .filter(([name]) => name.toLowerCase() === 'x-forwarded-for')
    .map(([, value]) => `${value}, `)
    .join('');
  return [
    ...sent.filter(([name]) => !own.includes(name.toLowerCase())),
    ...added.map(([name, value]): [string, string] => [
      name,
      name === 'X-Forwarded-For' ? forwardedFor + value : value,
    ]),
  ];
};

/**
 * Splits a request target into path and query. The target may be absolute (`GET http://host/path`), and several leading
 * slashes count as one.
 */
const splitTarget = (target: string): [path: string, query: string] => {
  const relative = target.replace(/^https?:\/\/[^/?]*/i, '');
  const [path = '', ...query] = relative.split('?');
  return [path.replace(/^\/*/, '/'), query.join('?')];
};

/** Parts of a message before its body, and its addresses. */
type RequestHead = Pick<IncomingMessage, 'method' | 'url' | 'httpVersion'> & {
  readonly rawHeaders: readonly string[];
  readonly socket: Partial<Pick<IncomingMessage['socket'], 'remoteAddress' | 'localPort'>>;
};

export const readRequest = (message: RequestHead): HttpRequest => {
  const [path, query] = splitTarget(message.url ?? '/');
  const sourceIp = message.socket.remoteAddress ?? '127.0.0.1';
  const port = message.socket.localPort ?? 0;
  return {
    requestId: randomUUID(),
    receivedAt: new Date(),
    method: message.method ?? 'GET',
    path,
    query,
    headers: collectHeaders(message.rawHeaders, listForwardedHeaders(sourceIp, port)),
    protocol: `HTTP/${message.httpVersion}`,
    sourceIp,
    port,
  };
};

/** Returns the last value of a header. `name` is in lower case; the header's name may have any case. */
export const readHeader = ({ headers }: HttpRequest, name: string): string | undefined =>
  headers.findLast(([candidate]) => candidate.toLowerCase() === name)?.[1];
