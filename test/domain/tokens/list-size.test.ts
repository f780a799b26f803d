import { expect, it } from 'vitest';
import {
  checkFits,
  countRoom,
  isNearlyFull,
  ListFullError,
  maxListBytes,
  measureList,
} from '../../../shared/domain/tokens/list-size.ts';

it('counts bytes, as Secrets Manager does', () => {
  expect(measureList('é:token')).toBe(8);
});

it('is nearly full from 80 % of the limit on', () => {
  expect([52_428, 52_429, maxListBytes].map(isNearlyFull)).toEqual([false, true, true]);
});

it.each([1, 100, 500])('has room for as many tokens as really fit, beside %i', (entries) => {
  const entry = `bot/submit:sha256:${'0'.repeat(64)};created=2026-11-28T00:00:00Z`;
  const list = Array.from({ length: entries }, () => entry).join(',');
  const room = countRoom(list);
  const more = (count: number): string => list + `,${entry}`.repeat(count);

  expect(measureList(more(room))).toBeLessThanOrEqual(maxListBytes);
  expect(measureList(more(room + 1))).toBeGreaterThan(maxListBytes);
});

it('has room in an empty list', () => {
  expect(countRoom(',')).toBeGreaterThan(0);
});

it('refuses a list that is a byte too long, with both numbers', () => {
  expect(() => checkFits('t'.repeat(maxListBytes))).not.toThrow();
  expect(() => checkFits('t'.repeat(maxListBytes + 1))).toThrow(ListFullError);
  expect(() => checkFits('t'.repeat(maxListBytes + 1))).toThrow('65537 of at most 65536 bytes');
});
