/** Content encodings, as API Gateway handles them: https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-gzip-compression-decompression.html */
import { promisify } from 'node:util';
import { deflate, gunzip, gzip, inflate } from 'node:zlib';
import type { HttpAnswer } from '../http.ts';
import { type HttpRequest, readHeader } from './http-request.ts';
import { RefusalError } from './refusal.ts';
import { maxBodyBytes } from './request-body.ts';

interface Coding {
  readonly compress: (body: string | Buffer) => Promise<Buffer>;
  readonly decompress: (
    body: Buffer,
    options: { readonly maxOutputLength: number },
  ) => Promise<Buffer>;
}

const codings: Readonly<Record<string, Coding>> = {
  gzip: { compress: promisify(gzip), decompress: promisify(gunzip) },
  deflate: { compress: promisify(deflate), decompress: promisify(inflate) },
};

const isTooLong = (error: unknown): boolean =>
  error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

/**
 * Returns the body, decoded by its `Content-Encoding`. The header stays, and the size limit applies to the decoded body.
 * @throws {RefusalError} for an unknown encoding, for a body with another encoding, and for a body that is too large
 */
export const decodeBody = async (request: HttpRequest, body: Buffer): Promise<Buffer> => {
  const encoding = readHeader(request, 'content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || body.length === 0) return body;
  try {
    const decoded = await codings[encoding]?.decompress(body, { maxOutputLength: maxBodyBytes });
    if (decoded) return decoded;
  } catch (error) {
    if (isTooLong(error)) throw new RefusalError('REQUEST_TOO_LARGE');
  }
  throw new RefusalError('UNSUPPORTED_MEDIA_TYPE');
};

/** Returns the client's preferred coding, or undefined if the client accepts none. */
const choosePreferred = (accepted: string): string | undefined => {
  const weighted = accepted.split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    return { name, weight: quality === undefined ? 1 : Number(quality.slice(2)) };
  });
  const wanted = weighted.filter(({ weight }) => weight > 0);
  return wanted.sort((left, right) => right.weight - left.weight)[0]?.name;
};

/**
 * Returns the response, compressed if the API has compression and the client prefers a supported coding. A response that
 * the function has already encoded stays unchanged.
 */
export const encodeAnswer = async (
  request: HttpRequest,
  answer: HttpAnswer,
  minimumCompressionSize = Number.POSITIVE_INFINITY,
): Promise<HttpAnswer> => {
  const coding = choosePreferred(readHeader(request, 'accept-encoding') ?? '') ?? '';
  const compress = codings[coding]?.compress;
  const length = Buffer.byteLength(answer.body);
  const isSmall = length === 0 || length < minimumCompressionSize;
  if (!compress || isSmall || 'content-encoding' in answer.headers) return answer;
  const headers = { ...answer.headers, 'content-encoding': coding };
  return { ...answer, headers, body: await compress(answer.body) };
};
