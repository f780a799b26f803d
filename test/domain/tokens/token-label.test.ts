import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scopes } from '../../../shared/domain/tokens/scope.ts';
import { isTokenLabel } from '../../../shared/domain/tokens/token-label.ts';
import { parseTokenList, TokenListError } from '../../../shared/domain/tokens/token-list.ts';
import { findToken } from '../../../shared/platform/auth/find-token.ts';

const token = 'a'.repeat(43);

/** Slashes, what looks like one by the tables of Unicode or otherwise, and backslashes alike. */
const slashes = [
  ...['/', '\u2215', '\u2044', '\u29f8', '\uff0f', '\u2571', '\u1735', '\u27cb', '\u31d3'],
  ...['\u2041', '\u3033', '\u30ce', '\u4e3f', '\u2cc6', '\u{1d23a}', '\u2afb', '\u2afd', '\u2e4a'],
  ...['\\', '\uff3c', '\u29f5', '\u29f9', '\u2216', '\u27cd', '\ufe68', '\u4e36', '\u{1d23b}'],
  ...['\u0337', '\u0338', '\u2223', '\u00a6', '\u30fb', '\u2e31', '\u00b7'],
];
const blanks = [' ', '\u00a0', '\u2003', '\u3000', '\u2800', '\u200b', '\t', '  '];
const others = [
  '-',
  '_',
  '.',
  '|',
  '+',
  '@',
  '#',
  '(',
  '=',
  '\u2192',
  '\u2013',
  "'",
  '\u01c0',
  '\u02d0',
  '\ua4f8',
  '\u2502',
];

const Separator = fc.constantFrom(...slashes, ...blanks, ...others);
const Name = fc.stringMatching(/^[a-z][a-z0-9@.]{0,12}$/).filter((name) => name !== 'submit');
const ScopeName = fc.constantFrom(
  ...scopes,
  'Submit',
  'REVIEW',
  '\u0455ubmit',
  's\u057dbm\u0456t',
  'revi\u0435w',
  '\uff53ubmit',
  'submit+review',
);
const Tail = fc.constantFrom('', ' ', ')', '.', '/ ', '+');

/** The scopes that the token gets by an entry; undefined where that lets nobody in. */
const scopesOf = (entry: string): readonly string[] | undefined => {
  try {
    return findToken(parseTokenList(entry), token)?.scopes;
  } catch (error) {
    if (error instanceof TokenListError) return undefined;
    throw error;
  }
};

describe('a label that ends in the name of a scope', () => {
  it('never has the full scope, whatever sign stands before that name', () => {
    fc.assert(
      fc.property(Name, Separator, ScopeName, Tail, (name, separator, scope, tail) => {
        const got = scopesOf(`${name}${separator}${scope}${tail}:${token}`);

        const isWritten = separator === '/' && ['', ' '].includes(tail);
        const said = scope.split('+').filter((one) => (scopes as readonly string[]).includes(one));
        const isScope = isWritten && said.join('+') === scope;
        expect(got).toEqual(isScope ? said : undefined);
      }),
      { numRuns: 1000 },
    );
  });

  it.each(['ci-submit/submit', 'security-review/review'])(
    'is as good as any where its scopes are said: %s',
    (owner) => {
      expect(scopesOf(`${owner}:${token}`)).toEqual([owner.split('/')[1]]);
    },
  );

  it.each(['preview', 'review-team', 'submitter', 'ana@example.com', 'alicesubmit', 'ノア'])(
    'is not %s',
    (label) => {
      expect(scopesOf(`${label}:${token}`)).toEqual(scopes);
    },
  );
});

describe('isTokenLabel', () => {
  it.each(slashes.slice(0, 9))(
    'refuses %j anywhere: behind it, scopes would say nothing',
    (sign) => {
      for (const label of [`ci${sign}sumbit`, `${sign}ci`, `ci${sign}`, `a${sign}b${sign}c`]) {
        expect(isTokenLabel(label)).toBe(false);
      }
    },
  );

  it.each(['ci\\sumbit', 'ACME\\ana', 'ci\uff3cx', 'ci\u29f5x', 'ci\u0338x'])(
    'refuses %j, whose sign looks like a slash to some',
    (label) => {
      expect(isTokenLabel(label)).toBe(false);
    },
  );
});
