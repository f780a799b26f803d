import { expect, it } from 'vitest';
import { answerBytes } from '../../../shared/domain/scans/limits.ts';

it.each([
  ['a quote, escaped twice', '"', 10],
  ['a backslash, escaped twice', '\\', 10],
  ['a letter of two bytes', 'é', 8],
  ['a list of numbers', [1, 2], 7],
  ['an object', { a: 1 }, 11],
])('counts %s', (_, value, expected) => {
  expect(answerBytes(value)).toBe(expected);
});
