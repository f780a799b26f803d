import { gzipSync } from 'node:zlib';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RegistryError } from '../../../shared/domain/errors.ts';
import { jsonBody } from '../../../shared/platform/http/json-body.ts';
import { scanJson } from '../../../shared/platform/http/scan-json.ts';
import { measureWork } from '../../support/work.ts';

const mebibyte = 1024 * 1024;

type Body = string | Buffer | null;

interface Rules {
  readonly headers?: Record<string, string>;
  readonly maxBytes?: number;
  readonly optional?: boolean;
}

const read = (
  body: Body,
  {
    headers = { 'Content-Type': 'application/json' },
    maxBytes = 4 * mebibyte,
    optional = false,
  }: Rules = {},
): unknown => {
  const isBase64Encoded = typeof body === 'object' && body !== null;
  const event = {
    headers,
    body: isBase64Encoded ? body.toString('base64') : body,
    isBase64Encoded,
    requestContext: { path: '/api/v1/x' },
  } as unknown as APIGatewayProxyEvent;
  const request = { event, internal: {} } as Parameters<
    NonNullable<ReturnType<typeof jsonBody>['before']>
  >[0];
  jsonBody({ optional, maxBytes }).before?.(request);
  return request.internal.body;
};

const refusalOf = (...given: Parameters<typeof read>): string => {
  try {
    read(...given);
  } catch (error) {
    if (error instanceof RegistryError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'not refused';
};

describe('a JSON body', () => {
  it.each<[string, Body, unknown]>([
    ['text', '{"a": "ü"}', { a: 'ü' }],
    ['bytes', Buffer.from('{"a": "ü"}'), { a: 'ü' }],
    ['gzip', gzipSync('{"a": "ü"}'), { a: 'ü' }],
    ['a list', '[1, "{", "\\\\\\"[", {}]', [1, '{', '\\"[', {}]],
    ['keys that differ in case', '{"a": 1, "A": 2}', { a: 1, A: 2 }],
    ['one key in several objects', '[{"a": {"a": 1}}, {"a": 2}]', [{ a: { a: 1 } }, { a: 2 }]],
    ['text like a key', '{"a": "b", "b": "a:", "c": ["a"]}', { a: 'b', b: 'a:', c: ['a'] }],
    ['a constructor', '{"constructor": 1, "prototype": {}}', { constructor: 1, prototype: {} }],
    [
      ...([
        'a constructor in one of a list',
        '{"a": [{"constructor": 1}, {"prototype": 2}]}',
      ] as const),
      { a: [{ constructor: 1 }, { prototype: 2 }] },
    ],
  ])('is read from %s', (_, body, value) => {
    expect(read(body)).toEqual(value);
  });

  it.each<[string, Body, string]>([
    ['that is no JSON', '{"a": }', 'malformed_body: body: must be JSON; check its syntax'],
    [
      'that is XML',
      '<?xml version="1.0"?>\n<bom xmlns="http://cyclonedx.org/schema/bom/1.4" version="1"/>',
      'malformed_body: body: must be JSON, and is XML of http://cyclonedx.org/schema/bom/1.4; send it in its JSON form',
    ],
    ['that is a page', ' <html>', 'malformed_body: body: must be JSON, and is XML; send it'],
    ['that stops within a string', '{"a": "b', 'malformed_body: body: must be JSON; check'],
    ['with a byte order mark', '\ufeff{}', 'must not begin with a byte order mark'],
    ['that is not UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'malformed_body: body: must be UTF-8'],
    ['with half of a letter', Buffer.from('"ü"').subarray(0, 2), 'body: must be UTF-8'],
    ['in UTF-16', Buffer.from('\ufeff{"a":"ü"}', 'utf16le'), 'body: must be UTF-8'],
    ['that is cut gzip', gzipSync('{}').subarray(0, 12), 'is gzip, and cannot be decompressed'],
    [
      'with a prototype',
      '{"__proto__": {}}',
      'validation_failed: body: must not have a key "__proto__"',
    ],
    [
      'with a hidden prototype',
      '[{"a": {"\\u005f_proto__": 1}}]',
      'must not have a key "__proto__"',
    ],
    ['with a prototype to build on', '{"constructor": {"prototype": 1}}', 'a key "prototype"'],
    [
      'with a key twice',
      '{"a": 1, "b": 2, "a": 3}',
      'validation_failed: body: has the key "a" twice',
    ],
    ['with a key twice, written otherwise', '{"a": 1, "\\u0061" : 2}', 'has the key "a" twice'],
    ['with a key twice, deeper', '[{"a": {"b": {}, "b": []}}]', 'has the key "b" twice'],
    ['with an endless key twice', `{"${'x'.repeat(999)}":1,"${'x'.repeat(999)}":1}`, '"xxx'],
    ['that nests too deep', `${'['.repeat(33)}${']'.repeat(33)}`, 'nest at most 32 levels deep'],
    ['that only opens', '['.repeat(33), 'nest at most 32 levels deep'],
  ])('is refused in words of its own %s', (_, body, expected) => {
    expect(refusalOf(body)).toContain(expected);
    expect(refusalOf(body).length).toBeLessThan(300);
  });

  it.each([
    ['a body', '"xx"', 3],
    ['a body of bytes', Buffer.from('"xx"'), 3],
    ['what a small body unpacks to', gzipSync(Buffer.alloc(2 * mebibyte, ' ')), mebibyte],
  ])('bounds %s', (_, body, maxBytes) => {
    expect(refusalOf(body, { maxBytes })).toBe(
      `body_too_large: body: must be at most ${maxBytes} bytes`,
    );
  });

  it.each<[string, string]>([
    ['zeros', `[${'0,'.repeat(2 * mebibyte - 1)}0]`],
    ['brackets', '['.repeat(4 * mebibyte)],
    ['open strings', '"\\'.repeat(2 * mebibyte)],
  ])('takes little work for 4 MiB of %s', (_, body) => {
    expect(measureWork(() => refusalOf(body), 3)).toBeLessThan(4);
  });

  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? 1 + Math.max(0, ...Object.values(value).map(depthOf))
      : 0;
  const withoutPrototypes = fc
    .jsonValue({ maxDepth: 5 })
    .filter((value) => !JSON.stringify(value).includes('proto'));

  it('nests as deep as what it is parsed to, and repeats no key that it does not repeat', () => {
    fc.assert(
      fc.property(withoutPrototypes, fc.constantFrom(undefined, 1), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);

        expect(scanJson(text, 100)).toEqual({ nesting: depthOf(value) });
      }),
    );
  });

  // What is refused by itself.
  const ordinaryKeys = fc.string().filter((key) => !key.includes('proto'));

  it('repeats every key that is put in twice', () => {
    fc.assert(
      fc.property(ordinaryKeys, withoutPrototypes, withoutPrototypes, (key, first, second) => {
        const [name, one, two] = [key, first, second].map((value) => JSON.stringify(value));

        expect(scanJson(`[{${name}: ${one}, ${name}\n:${two}}]`, 100).repeatedKey).toBe(key);
      }),
    );
  });
});

describe('a request without a body', () => {
  const host = { Host: 'registry.example.com', 'X-Forwarded-Proto': 'https' };
  const origin = (value: string) => ({ ...host, Origin: value });

  it.each<[string, Record<string, string>]>([
    ['from a program', host],
    ["from the registry's own page", origin('https://registry.example.com')],
    [
      'of JSON, from anywhere',
      { ...origin('https://evil.example'), 'Content-Type': 'application/json' },
    ],
  ])('is taken %s', (_, headers) => {
    expect(read(null, { headers, optional: true })).toEqual({});
  });

  it.each<[string, Record<string, string>]>([
    ['another site', origin('https://evil.example')],
    ['a page without an origin', origin('null')],
    ['the same host without TLS', origin('http://registry.example.com')],
    ['another port', origin('https://registry.example.com:8443')],
    ['a form of another site', { ...origin('https://evil.example'), 'Content-Type': 'text/plain' }],
  ])('is refused from %s', (_, headers) => {
    expect(refusalOf(null, { headers, optional: true })).toBe(
      'validation_failed: Content-Type: must be application/json in a request from another site, also without a body',
    );
  });
});
