import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findToken } from '../../shared/auth/find-token.ts';
import { parseTokenList } from '../../shared/domain/token-list.ts';

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

    expect(findToken(list, token)).toEqual({ label, fingerprint: digest.slice(0, 16) });
    expect(list.malformed).toEqual([]);
  });

  it.each(['', ',', ' , ,, '])('takes %j for an empty list', (value) => {
    expect(parseTokenList(value)).toEqual({ entries: [], malformed: [], short: [] });
  });

  it.each([
    'two words',
    'a:b:c',
    'label:',
    `sha256:${digest.slice(1)}`,
    'tökén',
    '{"token":"x"}',
    'sha256:abc',
    `sha-256:${digest}`,
    `sha256 :${digest}`,
    `SHA512:${digest}`,
  ])('reports %j by its position and keeps the others', (entry) => {
    const list = parseTokenList(`${entry},${token}`);

    expect(list.malformed).toEqual([1]);
    expect(findToken(list, token)).toBeDefined();
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
