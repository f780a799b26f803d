/** Unexpected texts and values. */
import fc from 'fast-check';
import { canary } from '../rig/tokens.ts';

/** Also halves of surrogate pairs. fast-check's own `binary` takes seconds to set up. */
const anyCharacter = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['', ' ', '\t', '\n', '\u0000', '\u007f', '\u202e', '\u200b', '\ufeff', '\ud800', '\udfff'],
    ...['é', 'e\u0301', 'ﬁ', 'İ', 'ß', '💥', '٣', '１', 'а', '\u{10ffff}', 'a\u0300'.repeat(200)],
    ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'null', 'undefined'],
    ...['..', '../../etc/passwd', '%', '%00', '%2f', '%zz', '//', '\\', '?', '#', '&', '=', '+'],
    ...["' OR 1=1 --", '#{7*7}', '{{7*7}}', '<script>', '\r\nX-Other: 1', '"', '$ref', '#sequence'],
    ...['-1', '0', '1e309', '0x10', 'NaN', '9007199254740993', '1'.repeat(400), '1.0.0', 'latest'],
    ...[
      'x'.repeat(256),
      'x'.repeat(5000),
      '😀'.repeat(300),
      '(a+)+$',
      '*',
      '@',
      '@/',
      ':',
      'a:b:c',
    ],
  ),
  fc.constant(canary),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ maxLength: 20 }),
);

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: hostileText },
  fc.constantFrom<unknown>(
    ...[null, true, false, 0, -0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 63), [], {}, [[]], [null]],
    ...[{ length: 5 }, { then: 1 }, { toJSON: 1 }, { [canary]: canary }, [canary]],
    Array.from({ length: 120 }, () => 'x'),
    Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`unknown-${at}`, at])),
  ),
  fc.jsonValue({ maxDepth: 3 }),
);
