/** Requests of every operation: valid, nearly valid, and hostile. */
import { gzipSync } from 'node:zlib';
import type { OwnRequest } from '@package-registry/local-aws';
import fc from 'fast-check';
import { type DocumentedParameter, operations } from '../../support/document.ts';
import { canary, tokens } from '../rig/tokens.ts';
import { fromNamed, fromSchema } from './from-schema.ts';
import { hostileText, hostileValue } from './values.ts';

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Malformed percent-encodings, and encodings of invalid text. */
const wrongEncoding = fc.constantFrom(
  '%',
  '%2',
  '%zz',
  '%E0%A4%A',
  '%ff',
  '%C0%AF',
  '%25%32%46',
  '+',
);

const encoded = (values: fc.Arbitrary<unknown>): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: values.map((value) => encode(String(value))) },
    { weight: 4, arbitrary: hostileText.map(encode) },
    { weight: 1, arbitrary: wrongEncoding },
  );

const fillPath = (
  path: string,
  parameters: readonly DocumentedParameter[],
): fc.Arbitrary<string> => {
  const segments = path.split('/').map((segment) => {
    const parameter = parameters.find(({ name }) => segment === `{${name}}`);
    if (!parameter) return fc.constant(segment);
    // An empty segment makes a different path.
    return encoded(fromNamed(parameter.name, parameter.schema)).map((value) => value || '%20');
  });
  return fc.tuple(...segments).map((parts) => parts.join('/'));
};

const makeQuery = (parameters: readonly DocumentedParameter[]): fc.Arbitrary<string> => {
  const known = parameters.map(({ name, schema }) =>
    encoded(fromNamed(name, schema)).map((value) => `${name}=${value}`),
  );
  const strange = fc.oneof(
    fc
      .tuple(hostileText.map(encode), encoded(hostileText))
      .map(([name, value]) => `${name}=${value}`),
    fc.constantFrom('&', '=', '__proto__=1', '__proto__[x]=1', 'limit=1&limit=2', 'name'),
  );
  const some = known.map((one) => fc.option(one, { freq: 2, nil: '' }));
  return fc
    .tuple(fc.tuple(...some), fc.option(strange, { freq: 8, nil: '' }))
    .map(([given, other]) => [...given, other].filter(Boolean).join('&'));
};

/** Returns the path of every part of a value. */
const listPlaces = (value: unknown, at: readonly string[] = []): (readonly string[])[] => {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => listPlaces(inner, [...at, key]))];
};

const replaceAt = (value: unknown, [key, ...rest]: readonly string[], other: unknown): unknown => {
  if (key === undefined) return other;
  const inner: unknown = Object(value)[key];
  const next = replaceAt(inner, rest, other);
  if (Array.isArray(value)) return value.with(Number(key), next);
  return { ...Object(value), [key]: next };
};

/** Replaces one part of the value. */
const spoil = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(values, fc.nat(), hostileValue).map(([value, place, other]) => {
    const places = listPlaces(value);
    return replaceAt(value, places[place % places.length] ?? [], other);
  });

const addUnknown = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(values, hostileText, hostileValue)
    .map(([value, name, other]) => ({ ...Object(value), [name]: other }));

/** A small body that is large after decompression. */
const bomb = gzipSync(Buffer.alloc(20_000_000));

/** Mutations of a JSON text. */
const textFaults: readonly ((text: string) => string | Buffer)[] = [
  (text) => text.slice(0, text.length / 2),
  (text) => `\ufeff${text}`,
  (text) => text.replace('{', '{"name":1,"name":2,'),
  (text) => text.replace('{', '{"__proto__":{"admin":true},'),
  (text) => text.replace('{', '{"constructor":{"prototype":{}},'),
  (text) => `${'['.repeat(40)}${text}${']'.repeat(40)}`,
  () => `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  (text) => `${text}//`,
  (text) => text.replaceAll('"', "'"),
  (text) => text.replace(/:/, ':NaN,"x":'),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xc3, 0x28])]),
  (text) => gzipSync(text),
  (text) => gzipSync(text).subarray(0, 12),
  () => bomb,
  (text) => `${text}${' '.repeat(70_000)}`,
  () => '',
  () => 'null',
  () => '"text"',
  () => '<x xmlns="http://example.com/x"/>',
];

const makeText = (values: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(values, fc.option(fc.constantFrom(...textFaults), { freq: 6, nil: undefined }))
    .map(([value, spoilText]) => {
      const text = JSON.stringify(value) ?? '';
      return Buffer.from(spoilText ? spoilText(text) : text);
    });

const makeBody = (schema: object | undefined): fc.Arbitrary<Buffer> => {
  if (!schema) {
    return fc.option(hostileText.map(Buffer.from), { freq: 10, nil: Buffer.alloc(0) });
  }
  const valid = fromSchema(schema);
  return fc.oneof(
    { weight: 4, arbitrary: makeText(valid) },
    { weight: 4, arbitrary: makeText(spoil(valid)) },
    { weight: 1, arbitrary: makeText(addUnknown(valid)) },
    { weight: 1, arbitrary: makeText(hostileValue) },
  );
};

/** The characters that HTTP allows in a header value. */
const headerValue = hostileText.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, '').trim());

const pair = (name: string, values: fc.Arbitrary<string>): fc.Arbitrary<string[]> =>
  values.map((value) => [name, value]);

const tokenHeader = fc.oneof(
  { weight: 14, arbitrary: fc.constant(['X-API-Key', tokens.all]) },
  fc.constant([]),
  pair('X-API-Key', fc.constantFrom(tokens.submit, tokens.review, `${canary}-wrong`, '')),
  pair('x-api-key', headerValue),
  fc.constant(['X-API-Key', tokens.all, 'X-API-Key', tokens.all]),
);

const otherHeaders = fc.oneof(
  { weight: 10, arbitrary: fc.constant([]) },
  pair('Idempotency-Key', fc.constantFrom('a key', 'another', 'x'.repeat(255), 'x'.repeat(256))),
  pair('Idempotency-Key', headerValue),
  pair('Accept', fc.constantFrom('application/json', '*/*', 'x/y;q=2')),
  pair('Accept-Encoding', fc.constantFrom('gzip', 'deflate', 'br', '*', 'gzip;q=0')),
  pair('Origin', fc.constantFrom('https://other.example.com', 'null')),
  pair('X-Forwarded-Proto', headerValue),
  pair('User-Agent', headerValue),
  fc.constant(['Idempotency-Key', 'one', 'Idempotency-Key', 'two']),
);

const typeHeader = fc.oneof(
  { weight: 14, arbitrary: fc.constant(['Content-Type', 'application/json']) },
  pair(
    'Content-Type',
    fc.constantFrom(
      'application/json; charset=utf-16',
      'text/plain',
      'multipart/form-data',
      'json',
    ),
  ),
  fc.constant([]),
);

/** Requests whose responses must be documented, with any content. */
export const hostileRequest: fc.Arbitrary<OwnRequest> = fc.oneof(
  ...operations.map(({ method, path, operation }) => {
    const { parameters = [], requestBody } = operation;
    const schema = requestBody?.content['application/json']?.schema;
    const methods = fc.constantFrom(...Array.from({ length: 40 }, () => method), 'PATCH', 'PUT');
    return fc
      .tuple(
        methods,
        fillPath(path, parameters),
        makeQuery(parameters.filter((parameter) => parameter.in === 'query')),
        fc.tuple(tokenHeader, schema ? typeHeader : fc.constant([]), otherHeaders),
        makeBody(schema),
      )
      .map(([chosen, filled, query, headers, body]) => ({
        method: chosen,
        // The log contains the path, so the canary is only in parts that the log must omit.
        target: [filled.replaceAll(canary, 'name'), query].filter(Boolean).join('?'),
        rawHeaders: ['Host', 'localhost', ...headers.flat()],
        body,
      }));
  }),
);
