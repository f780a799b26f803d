import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  hashAlgorithms,
  parseFileHash,
  parseFileHashes,
} from '../../../shared/domain/packages/file-hash.ts';

describe('parseFileHashes', () => {
  it('returns each hash of an integrity text, without other words', () => {
    const [sha1, sha256] = ['ab'.repeat(20), 'cd'.repeat(32)];

    expect(parseFileHashes(`sha1:${sha1}  sha256:${sha256}\nother`)).toEqual([
      { algorithm: 'sha1', hex: sha1 },
      { algorithm: 'sha256', hex: sha256 },
    ]);
    expect(parseFileHashes('')).toEqual([]);
  });
});

describe('parseFileHash', () => {
  it.each(['sha512-before=', 'sha512-ab=', 'sha512-a', 'sha512-', 'sha256:xyz', 'md4-aaaa'])(
    'returns undefined for %j, which is no hash',
    (text) => {
      expect(parseFileHash(text)).toBeUndefined();
    },
  );

  it('parses each algorithm in base64 with and without padding, and in hexadecimal digits', () => {
    for (const algorithm of hashAlgorithms.filter((one) => one.startsWith('sha'))) {
      const hash = createHash(algorithm).update('content');
      const [base64, hex] = [hash.copy().digest('base64'), hash.digest('hex')];
      const forms = [`${algorithm}-${base64}`, `${algorithm}-${base64.replace(/=+$/, '')}`];

      for (const text of [...forms, `${algorithm}:${hex}`, `${algorithm}:${hex.toUpperCase()}`]) {
        expect(parseFileHash(text)).toEqual({ algorithm, hex });
      }
    }
  });

  it('throws for no text', () => {
    const digits = fc.string({ unit: fc.constantFrom('a', 'Z', '9', '+', '/', '=', '-', ' ') });

    fc.assert(
      fc.property(fc.constantFrom('sha512-', 'sha256-', 'sha1:'), digits, (before, text) => {
        expect(() => parseFileHash(before + text)).not.toThrow();
      }),
    );
  });
});
