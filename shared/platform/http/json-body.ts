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

/** Whether a page of another site has a browser send this. Browsers always say so with what is not only read. */
const isFromElsewhere = (event: APIGatewayProxyEvent): boolean =>
  readHeader(event, 'Origin').some((origin) => origin !== findOrigin(event));

/**
 * A page of any site may have a browser send what has no content type or a plain one, but not JSON. So everything that
 * it could send is refused, also where there is nothing in the body.
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

/** No JSON begins so. What says by a header that it is compressed has been decompressed by the gateway. */
const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

const decompress = (bytes: Buffer, maxBytes: number): Buffer => {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) throw refuseSize(maxBytes);
    throw refuseInvalid('body', 'is gzip, and cannot be decompressed', 'malformed_body');
  }
};

/** The bytes of a body, decompressed; however small they are compressed, never more than may be. */
const readBytes = ({ body, isBase64Encoded }: APIGatewayProxyEvent, maxBytes: number): Buffer => {
  const sent = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  const bytes = isGzip(sent) ? decompress(sent, maxBytes) : sent;
  if (bytes.length > maxBytes) throw refuseSize(maxBytes);
  return bytes;
};

const beginningBytes = 1024;

/** Decompresses what the first bytes of a gzip hold: no more than a thousand times as much. */
const decompressBeginning = (sent: Buffer): Buffer => {
  try {
    return gunzipSync(sent.subarray(0, beginningBytes), { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
};

/** Returns the first characters of a body, however large it is; empty where they cannot be decompressed. */
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

/** Refuses a text that is JSON and yet not safe. */
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

/** Parses a text whose keys were checked, by middy's parser; undefined if it is no JSON. */
const parse = (request: EndpointRequest, text: string): unknown => {
  const { event } = request;
  Object.assign(event, { body: text, isBase64Encoded: false });
  try {
    // Nothing of it waits.
    void parser.before?.(request);
    // The parser puts what it read in the place of the text.
    return event.body;
  } catch {
    return undefined;
  }
};

/** Parses the body, where there is one, within limits. An endpoint whose body is optional sees an empty object instead. */
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
    // The parser looks at each value again, which takes seconds for a long report.
    const body = maxBytes > defaultMaxBytes ? parseJson(text) : parse(request, text);
    if (body === undefined) throw refuseSyntax(text);
    internal.body = body;
  },
});
