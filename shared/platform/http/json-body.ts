import { constants, gunzipSync } from 'node:zlib';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { defaultMaxBytes } from '../../api/route-rules.ts';
import { type RegistryError, refuseInvalid } from '../../domain/errors.ts';
import { maxNesting, parseJson } from '../../util/json.ts';
import { findOrigin, readHeader } from './gateway-request.ts';
import { scanJson } from './scan-json.ts';
import type { EndpointMiddleware, EndpointRequest } from './state.ts';

const maxShownKey = 100;

const json = /^application\/(?:[a-z0-9.+-]+\+)?json\s*(?:;|$)/i;

interface BodyRules {
  readonly optional: boolean;
  readonly maxBytes?: number;
}

const isJsonType = (event: APIGatewayProxyEvent): boolean => {
  const [type = '', ...others] = readHeader(event, 'Content-Type');
  return others.length === 0 && json.test(type);
};

/** True if a page of another site sent this request. Browsers always add `Origin` to requests other than GET and HEAD. */
const isFromElsewhere = (event: APIGatewayProxyEvent): boolean =>
  readHeader(event, 'Origin').some((origin) => origin !== findOrigin(event));

/**
 * Throws unless the content type is JSON, or the body is empty and no other site sent the request. A page of any site can
 * make a browser send requests with a plain content type or none, but not with JSON.
 */
const checkContentType = (event: APIGatewayProxyEvent, isEmpty: boolean): void => {
  if (isJsonType(event) || (isEmpty && !isFromElsewhere(event))) return;
  const message = 'must be application/json';
  throw refuseInvalid(
    'Content-Type',
    isEmpty ? `${message} in a request from another site, also without a body` : message,
  );
};

const refuseSize = (maxBytes: number): RegistryError =>
  refuseInvalid('body', `must be at most ${maxBytes} bytes`, 'body_too_large');

/** True for a gzip body; no JSON begins with these bytes. The gateway already decompressed bodies with `Content-Encoding`. */
const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

const decompress = (bytes: Buffer, maxBytes: number): Buffer => {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw refuseSize(maxBytes);
    throw refuseInvalid('body', 'is gzip, and cannot be decompressed', 'malformed_body');
  }
};

/** Returns the decompressed bytes of a body. The size limit applies to the decompressed bytes. */
const readBytes = ({ body, isBase64Encoded }: APIGatewayProxyEvent, maxBytes: number): Buffer => {
  const sent = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  const bytes = isGzip(sent) ? decompress(sent, maxBytes) : sent;
  if (bytes.length > maxBytes) throw refuseSize(maxBytes);
  return bytes;
};

const beginningBytes = 1024;

/** Returns the decompressed beginning of a gzip body; at most about a thousand times as many bytes. */
const decompressBeginning = (sent: Buffer): Buffer => {
  try {
    return gunzipSync(sent.subarray(0, beginningBytes), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
};

/** Returns the first characters of a body of any size; empty if they cannot be decompressed. */
export const readBeginning = ({ body, isBase64Encoded }: APIGatewayProxyEvent): string => {
  const first = (body ?? '').slice(0, 2 * beginningBytes);
  const sent = Buffer.from(first, isBase64Encoded ? 'base64' : 'utf8');
  const bytes = isGzip(sent) ? decompressBeginning(sent) : sent;
  return bytes.subarray(0, beginningBytes).toString('utf8');
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const decode = (bytes: Buffer): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    throw refuseInvalid('body', 'must be UTF-8, and has bytes that are not', 'malformed_body');
  }
};

const xmlNamespace = /\bxmlns="([\w:/.-]{1,100})"/;

const describeSyntaxFault = (text: string): string => {
  if (text.startsWith('\ufeff')) return 'must not begin with a byte order mark';
  if (!text.trimStart().startsWith('<')) return 'must be JSON; check its syntax';
  const kind = xmlNamespace.exec(text.slice(0, 1000))?.[1];
  return `must be JSON, and is XML${kind ? ` of ${kind}` : ''}; send it in its JSON form`;
};

const refuseSyntax = (text: string): RegistryError =>
  refuseInvalid('body', describeSyntaxFault(text), 'malformed_body');

const showKey = (key: string): string => JSON.stringify(key.slice(0, maxShownKey));

/** Throws for unsafe JSON: too deep nesting, a repeated key, or a key such as `__proto__`. */
const checkKeys = (text: string): void => {
  const { nesting, repeatedKey, prototypeKey } = scanJson(text, maxNesting);
  if (nesting > maxNesting) {
    throw refuseInvalid('body', `must nest at most ${maxNesting} levels deep`);
  }
  if (prototypeKey === undefined && repeatedKey === undefined) return;
  if (parseJson(text) === undefined) throw refuseSyntax(text);
  throw refuseInvalid(
    'body',
    prototypeKey === undefined
      ? `has the key ${showKey(repeatedKey ?? '')} twice in one object`
      : `must not have a key ${showKey(prototypeKey)}`,
  );
};

const parser: EndpointMiddleware = httpJsonBodyParser({ disableContentTypeCheck: true });

/** Returns the text as parsed by middy's parser; undefined if it is no JSON. Its keys must be checked before. */
const parse = (request: EndpointRequest, text: string): unknown => {
  const { event } = request;
  Object.assign(event, { body: text, isBase64Encoded: false });
  try {
    // The parser runs synchronously.
    void parser.before?.(request);
    // The parser replaces the text by the parsed value.
    return event.body;
  } catch {
    return undefined;
  }
};

/** Returns the middleware that parses the body within limits. A missing optional body becomes an empty object. */
export const jsonBody = ({
  optional,
  maxBytes = defaultMaxBytes,
}: BodyRules): EndpointMiddleware => ({
  before: (request) => {
    const { event, internal } = request;
    const text = decode(readBytes(event, maxBytes));
    const isEmpty = text.trim() === '';
    internal.rawBody = text;
    if (isEmpty && !optional) throw refuseInvalid('body', 'is required: send a JSON object');
    checkContentType(event, isEmpty);
    if (isEmpty) {
      internal.body = {};
      return;
    }
    checkKeys(text);
    // Middy's parser visits each value again, which takes seconds for a large report.
    const body = maxBytes > defaultMaxBytes ? parseJson(text) : parse(request, text);
    if (body === undefined) throw refuseSyntax(text);
    internal.body = body;
  },
});
