import { expect, it } from 'vitest';
import { measureAnswer } from '../../../shared/domain/answer-size.ts';

it.each([
  ['a quote, escaped twice', '"', 10],
  ['a backslash, escaped twice', '\\', 10],
  ['a letter of two bytes', 'é', 8],
  ['a list of numbers', [1, 2], 7],
  ['an object', { a: 1 }, 11],
])('counts %s', (_, value, expected) => {
  expect(measureAnswer(value)).toBe(expected);
});
