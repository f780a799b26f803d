import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { OciAnswer } from './oci-answers.ts';

/** What a registry does in place of its true answer, or to it. */
export type Fault =
  /** Another status, as often as `times` says, and always without it. */
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly times?: number;
    }
  | { readonly redirect: string }
  /** A challenge that sends the client to any address for its token. */
  | { readonly hostileRealm: string }
  | keyof typeof named
  /** Anything else. */
  | ((request: IncomingMessage, response: ServerResponse) => void);

type Act = (response: ServerResponse, answer: OciAnswer, request: IncomingMessage) => void;

/** Sends an answer, without its body for HEAD. */
export const sendAnswer: Act = (response, { status, headers, body }, { method }) => {
  response.writeHead(status, { 'Content-Length': Buffer.byteLength(body), ...headers });
  response.end(method === 'HEAD' ? undefined : body);
};

const sendHeaders: Act = (response, { status, headers, body }) => {
  response.writeHead(status, { 'Content-Length': Buffer.byteLength(body), ...headers });
  response.flushHeaders();
};

function* repeat(bytes: Buffer) {
  for (;;) yield bytes;
}

const named = {
  /** Bytes without an end. */
  huge: (response, { status, headers }) => {
    response.writeHead(status, headers);
    // The pipeline ends with an error as soon as the client closes the connection.
    pipeline(Readable.from(repeat(Buffer.alloc(65_536, ' '))), response, () => {});
  },
  /** The headers, and then nothing. */
  slow: sendHeaders,
  /** No answer. */
  silent: () => {},
  /** Half of the body that the headers announce; then the connection closes. */
  truncated: (response, answer, request) => {
    sendHeaders(response, answer, request);
    const half = Buffer.from(answer.body).subarray(0, Buffer.byteLength(answer.body) / 2);
    response.write(half, () => response.destroy());
  },
  /** The digest of other bytes in the header. */
  wrongDigestHeader: (response, answer, request) => {
    const headers = { ...answer.headers, 'Docker-Content-Digest': `sha256:${'0'.repeat(64)}` };
    sendAnswer(response, { ...answer, headers }, request);
  },
  /** Other bytes than the digest says, which are still valid JSON if the true ones are. */
  wrongBytes: (response, answer, request) => {
    const body = Buffer.concat([Buffer.from(answer.body), Buffer.from(' ')]);
    sendAnswer(response, { ...answer, body }, request);
  },
  /** A web page. */
  wrongType: (response, _answer, request) => {
    const headers = { 'Content-Type': 'text/html' };
    sendAnswer(response, { status: 200, headers, body: '<html>Sign in</html>' }, request);
  },
  /** A next page at this page's own address. */
  endlessPages: (response, answer, request) => {
    const headers = { ...answer.headers, Link: `<${request.url}>; rel="next"` };
    sendAnswer(response, { ...answer, headers }, request);
  },
} as const satisfies Readonly<Record<string, Act>>;

/** Sends what a fault makes of an answer. */
export const sendFault = (
  fault: Fault,
  request: IncomingMessage,
  response: ServerResponse,
  answer: OciAnswer,
): void => {
  if (typeof fault === 'function') fault(request, response);
  else if (typeof fault === 'string') named[fault](response, answer, request);
  else if ('redirect' in fault) {
    const headers = { Location: fault.redirect };
    sendAnswer(response, { status: 307, headers, body: '' }, request);
  } else if ('hostileRealm' in fault) {
    const challenge = `Bearer realm="${fault.hostileRealm}",service="registry.test"`;
    const headers = { 'WWW-Authenticate': challenge };
    sendAnswer(response, { status: 401, headers, body: '' }, request);
  } else {
    const { status, headers = {}, body = '' } = fault;
    sendAnswer(response, { status, headers, body }, request);
  }
};
