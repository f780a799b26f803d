import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseTokenList } from '../../../shared/domain/tokens/token-list.ts';
import { findToken } from '../../../shared/platform/auth/find-token.ts';

const token = 'a'.repeat(43);
const digest = createHash('sha256').update(token).digest('hex');

describe('parseTokenList', () => {
  it.each([
    ['a plain token', token, null],
    ['a labelled token', `ci:${token}`, 'ci'],
    ['an e-mail label', `ci@example.com:${token}`, 'ci@example.com'],
    ['a digest', `sha256:${digest}`, null],
    ['an upper-case digest', `sha256:${digest.toUpperCase()}`, null],
    ['a labelled digest', `ci:sha256:${digest}`, 'ci'],
    ['blanks around', `  ci:${token}  `, 'ci'],
  ])('accepts %s', (_, entry, label) => {
    const list = parseTokenList(`,,${entry},`);

    const fingerprint = digest.slice(0, 16);
    expect(findToken(list, token)).toEqual({ label, scopes: ['submit', 'review'], fingerprint });
    expect(list.malformed).toEqual([]);
  });

  it.each<[string, string[]]>([
    [`ci/submit:${token}`, ['submit']],
    [`ci/review:${token}`, ['review']],
    [`ci/submit+review:${token}`, ['submit', 'review']],
    [`ci/review+submit:${token}`, ['submit', 'review']],
    [`ci/submit+submit:${token}`, ['submit']],
    [`ci / submit + review :${token}`, ['submit', 'review']],
    [`ci/submit:sha256:${digest}`, ['submit']],
    [`ci/review:SHA256:${digest.toUpperCase()}`, ['review']],
  ])('reads the scopes of %s', (entry, scopes) => {
    const list = parseTokenList(entry);

    expect(list.malformed).toEqual([]);
    expect(findToken(list, token)).toMatchObject({ label: 'ci', scopes });
  });

  it.each<[string, string, string[], string[]]>([
    ['the scopes that both have', 'a/submit+review', 'b/submit'.split(' '), ['submit']],
    ['a scope, and none, which is all', 'a', ['b/review'], ['review']],
    ['none, where there is no scope in common', 'a/submit', ['b/review'], []],
    ['the narrowest of three', 'a', ['b/submit', 'c'], ['submit']],
  ])('lets the same token in with %s', (_, first, others, scopes) => {
    const entries = others.map((other) => `${other}:sha256:${digest}`);
    const list = parseTokenList([`${first}:${token}`, ...entries].join());

    expect(list.entries).toHaveLength(1);
    expect(findToken(list, token)).toMatchObject({ label: 'a', scopes });
  });

  it.each([
    [`ci:${token};expires=2027-01-31`, '2027-01-30T23:59:59.999Z', '2027-01-31T00:00:00.000Z'],
    [
      `sha256:${digest} ; created=2026-11-26T12:00:00Z ; expires=2027-01-31T12:00:00Z`,
      '2027-01-31T11:59:59.999Z',
      '2027-01-31T12:00:00.000Z',
    ],
  ])('accepts %s until it expires', (entry, last, end) => {
    const list = parseTokenList(entry);

    expect(list.malformed).toEqual([]);
    expect(findToken(list, token, Date.parse(last))).toBeDefined();
    expect(findToken(list, token, Date.parse(end))).toBeUndefined();
  });

  it('takes the earlier expiry of two entries of a token', () => {
    const list = parseTokenList(`a:${token};expires=2027-03-01,b:${token};expires=2027-02-01`);

    expect(findToken(list, token, Date.parse('2027-02-01'))).toBeUndefined();
  });

  it.each([
    'expires=',
    'expires=soon',
    'expires=2027-13-01',
    'expires=1800000000',
    'expires=2027-01-31;expires=2028-01-31',
    'expired=2027-01-31',
    '',
  ])('lets nobody in by an entry with %j after the token', (dates) => {
    const list = parseTokenList(`a:${'b'.repeat(43)},ci:${token};${dates}`);

    expect(list.malformed).toEqual([2]);
    expect(findToken(list, token)).toBeUndefined();
  });

  it.each([undefined, ',', ' ,\n'])('takes %j for a list without tokens', (value) => {
    expect(parseTokenList(value)).toEqual({ entries: [], malformed: [], short: [] });
  });

  it.each(['', ' ', '\n\t', '\ufeff', '\ufeff,', '\u00a0', ',,', ' , ,, '])(
    'does not take %j for one: that would open the registry',
    (value) => {
      expect(() => parseTokenList(value)).toThrow(/^is blank/);
    },
  );

  it.each([
    // What RDS has Secrets Manager keep: 5432 would be a token.
    '{"username":"admin","password":"x","engine":"postgres","host":"db","port":5432,"dbname":"r"}',
    '{"days":30,"enabled":true,"note":"x"}',
    `{"token":"x",ci:${token}}`,
    `\ufeff { "a": 1, "b": 5432, "c": 2 } `,
    `[1,${token},3]`,
    `["x",5432,"y"]`,
    `"${token}"`,
    `"a","b",${token}`,
    '{"cut":true,5432,',
    "{'of': 'Python', 5432, True}",
    'null',
    'true',
    'false',
    '1',
    '-5',
    '1e3',
    '5432',
    '{}',
    '[]',
    '""',
    `${token},{"username":"x","port":5432,"host":"y"}`,
    'x={"days":30,"enabled":true,"port":5432}',
    '/* */{"a":1,30,b}',
    `${token},[1,30]`,
  ])('takes %j for JSON, whatever its pieces look like', (value) => {
    expect(() => parseTokenList(value)).toThrow(/^is JSON/);
  });

  it.each(['5432,30', `30,${token}`])('takes %j for a list of tokens', (value) => {
    expect(parseTokenList(value).entries).toHaveLength(2);
  });

  it.each([
    'two words',
    `sha256:${digest.slice(1)}`,
    '\u200b',
    'a:b:c,x y',
    'null,null',
    'true,false',
  ])('does not judge by %j, where no entry is well-formed', (value) => {
    expect(() => parseTokenList(value)).toThrow(/^has malformed entries only, at 1/);
  });

  it.each([
    'two words',
    'a:b:c',
    'label:',
    `sha256:${digest.slice(1)}`,
    'tökén',
    'null',
    'label:undefined',
    'sha256:abc',
    `sha-256:${digest}`,
    `sha256 :${digest}`,
    `SHA512:${digest}`,
    ` :${token}`,
    `a\u0007b:${token}`,
    `a\nb:${token}`,
    `a\u202eb:${token}`,
    `a\u200bb:sha256:${digest}`,
    `${'x'.repeat(255)}:${token}`,
    `${'x'.repeat(255)}:sha256:${digest}`,
    `\ud800:${token}`,
    `ci/sumbit:${token}`,
    `ci/Submit:${token}`,
    // Scopes without a label, and behind what only looks like a slash.
    `submit:${token}`,
    ` review :${token}`,
    `submit+review:${token}`,
    `ci\u{ff0f}submit:${token}`,
    `alice\u2215submit:${token}`,
    `alice\u2044submit:sha256:${digest}`,
    `alice\\submit:${token}`,
    `alice submit:${token}`,
    `ci-submit:sha256:${digest}`,
    `ci/:${token}`,
    `ci/submit+:${token}`,
    `ci/submit,review:${token}`.replace(',', ' '),
    `ci/submit/review:${token}`,
    `ci/any:sha256:${digest}`,
    `ci/sha256:${digest}`,
    `team/ci:${token}`,
    `/submit:${token}`,
    ` /submit:${token}`,
    `submit/:${token}`,
    `ci/submit:`,
    `ci/submit`,
    `sha256/submit:${digest}`,
    `ci/submit:sha256:${digest.slice(1)}`,
  ])('reports %j by its position and keeps the others', (entry) => {
    const list = parseTokenList(`${token},${entry}`);

    expect(list.malformed).toEqual([2]);
    expect(list.entries).toHaveLength(1);
    expect(findToken(list, token)).toBeDefined();
  });

  it('takes a label of 254 characters, as an identity may have', () => {
    expect(parseTokenList(`${'x'.repeat(254)}:${token}`).malformed).toEqual([]);
  });

  it('drops duplicates, keeping the first label', () => {
    const list = parseTokenList(`first:${token},second:sha256:${digest}`);

    expect(list.entries).toHaveLength(1);
    expect(findToken(list, token)?.label).toBe('first');
  });

  it('reports tokens under 32 characters, but accepts them', () => {
    const list = parseTokenList(`${token},short`);

    expect(list.short).toEqual([2]);
    expect(findToken(list, 'short')).toBeDefined();
  });
});

describe('findToken', () => {
  it.each(['', token.slice(1), `${token}a`, `${token},`, digest, `sha256:${digest}`, ','])(
    'finds nobody for %j',
    (presented) => {
      expect(findToken(parseTokenList(`${token},ci:sha256:${digest}`), presented)).toBeUndefined();
    },
  );
});
