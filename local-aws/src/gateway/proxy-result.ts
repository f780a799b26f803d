/** Converts a function's result into an HTTP response, as API Gateway's Lambda proxy integration does. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod';
import type { HttpAnswer } from '../http.ts';
import { describeIssue } from '../schema.ts';
import { isBinary } from './media-types.ts';
import { RefusalError } from './refusal.ts';

const headerValue = z.union([z.string(), z.boolean()]).transform(String);

/**
 * Result of a function. All fields are optional. An unknown field or a body that is not text makes the result
 * malformed.
 */
const resultSchema = z.strictObject({
  statusCode: z.coerce.number().int().min(100).max(599).nullish(),
  headers: z.record(z.string(), headerValue.nullable()).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(headerValue)).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

type ProxyResult = z.output<typeof resultSchema>;

/** Headers that API Gateway renames, because only it may send them under their own name. */
const remapped = ['connection', 'content-length', 'date', 'server', 'www-authenticate'];

const mapName = (name: string): string =>
  remapped.includes(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name;

/** Merges both forms of headers. A pair in both forms counts once. */
const mergeHeaders = ({ headers, multiValueHeaders }: ProxyResult): Map<string, string[]> => {
  const merged = new Map<string, string[]>();
  const add = (name: string, values: readonly string[]): void => {
    const key = mapName(name).toLowerCase();
    if (key === 'transfer-encoding') return;
    const present = merged.get(key) ?? [];
    merged.set(key, [...present, ...values.filter((value) => !present.includes(value))]);
  };
  for (const [name, values] of Object.entries(multiValueHeaders ?? {})) add(name, values);
  for (const [name, value] of Object.entries(headers ?? {})) if (value !== null) add(name, [value]);
  if (!merged.has('content-type')) merged.set('content-type', ['application/json']);
  return merged;
};

const makeMalformedError = (why: string): RefusalError =>
  new RefusalError('DEFAULT_5XX', `Malformed Lambda proxy response: ${why}`);

const checkHeaders = (headers: ReadonlyMap<string, readonly string[]>): void => {
  try {
    for (const [name, values] of headers) {
      validateHeaderName(name);
      for (const value of values) validateHeaderValue(name, value);
    }
  } catch (error) {
    throw makeMalformedError(String(error));
  }
};

/**
 * Returns the HTTP response of a function's result.
 * @param accept the client's first accepted media type; base64 is decoded only for a binary type
 * @throws {RefusalError} DEFAULT_5XX if the result is malformed
 */
export const readProxyResult = (
  result: unknown,
  accept: string | undefined,
  binaryMediaTypes: readonly string[],
): HttpAnswer => {
  const parsed = resultSchema.safeParse(result);
  if (!parsed.success) {
    throw makeMalformedError(describeIssue(parsed.error));
  }
  const headers = mergeHeaders(parsed.data);
  checkHeaders(headers);
  const { statusCode, body, isBase64Encoded } = parsed.data;
  const isDecoded = isBase64Encoded === true && isBinary(accept, binaryMediaTypes);
  return {
    status: statusCode ?? 200,
    headers: Object.fromEntries(headers),
    body: Buffer.from(body ?? '', isDecoded ? 'base64' : 'utf8'),
  };
};
