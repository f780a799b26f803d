import { type Agent, type IncomingMessage, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { pipeline, Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** Outbound HTTP request. */
export interface OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborts the request and the reading of its response. */
  readonly signal: AbortSignal;
}

/** Response with the remote address of its socket; undefined behind a proxy. */
export interface Delivered {
  readonly response: Response;
  readonly address?: string | undefined;
}

const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

const unpack = (answer: IncomingMessage): Readable => {
  const encoding = answer.headers['content-encoding']?.trim().toLowerCase() ?? '';
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding]?.() : undefined;
  // Errors of both streams reach the reader of the last one, and closing it closes both.
  return decoder ? pipeline(answer, decoder, () => undefined) : answer;
};

const readHeaders = ({ rawHeaders }: IncomingMessage): Headers => {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  return headers;
};

/** Statuses without a response body. */
const bodiless = [204, 205, 304];

const toResponse = (method: string, answer: IncomingMessage): Response => {
  const { statusCode: status = 0 } = answer;
  const init = { status, headers: readHeaders(answer) };
  // The headers of a response to HEAD describe a body that does not come, also its encoding.
  if (method !== 'HEAD' && !bodiless.includes(status))
    return new Response(Readable.toWeb(unpack(answer)) as ReadableStream<Uint8Array>, init);
  answer.resume();
  return new Response(null, init);
};

/**
 * Sends one request with an agent, without following redirects. Resolves when the response headers arrive. The response
 * body is decompressed.
 */
export const sendRequest = (
  url: URL,
  { method = 'GET', headers, body, signal }: OutboundRequest,
  agent: Agent,
): Promise<Delivered> =>
  new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestByHttps : requestByHttp;
    const options = {
      ...{ method, agent, signal },
      headers: { 'Accept-Encoding': 'gzip, deflate, br', ...headers },
    };
    const sent = request(url, options, (answer) => {
      try {
        resolve({ response: toResponse(method, answer), address: answer.socket.remoteAddress });
      } catch (error) {
        // Invalid status or header.
        answer.destroy();
        reject(error);
      }
    });
    sent.on('error', reject);
    sent.end(body);
  });
