import { describe, expect, it } from 'vitest';
import {
  chooseNextRefresh,
  findTagInterval,
} from '../../../shared/domain/facts/refresh-schedule.ts';
import { dayMs, hourMs } from '../../../shared/util/duration.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const ago = (ms: number): string => new Date(now.getTime() - ms).toISOString();
const publishedAgo = (ms: number) => ({ published_at: ago(ms) });

describe('a tag', () => {
  const young = 30 * dayMs - 1;
  const old = 30 * dayMs;

  it.each<[string, { readonly published_at: string | null } | null, string, number | undefined]>([
    ['published lately', publishedAgo(young), ago(old), dayMs],
    ['submitted lately', publishedAgo(old), ago(young), dayMs],
    ['submitted lately, published at an unknown time', { published_at: null }, ago(young), dayMs],
    ['submitted lately, without metadata', null, ago(young), dayMs],
    ['published in the future', publishedAgo(-dayMs), ago(old), dayMs],
    ['published and submitted 30 days ago', publishedAgo(old), ago(old), undefined],
    [
      'submitted 30 days ago, published at an unknown time',
      { published_at: null },
      ago(old),
      undefined,
    ],
    ['submitted 30 days ago, without metadata', null, ago(old), undefined],
    ['published at a time that cannot be read', { published_at: 'x' }, ago(old), undefined],
  ])('%s is checked daily or as all versions are', (_, facts, submittedAt, expected) => {
    expect(findTagInterval(facts, submittedAt, now)).toBe(expected);
  });
});

describe('the next refresh', () => {
  const afterHours = (outcome: Parameters<typeof chooseNextRefresh>[0], everyHours = 168): number =>
    (Date.parse(chooseNextRefresh(outcome, { now, everyHours })) - now.getTime()) / hourMs;

  it.each([
    ['of a young tag', { found: 'yes', watchMs: dayMs }, 24],
    ['of an old tag', { found: 'yes' }, 168],
    ['of a tag that is missing', { found: 'no', watchMs: undefined }, 24],
    ['of a tag that is unknown', { found: 'unknown' }, 24],
  ] as const)('%s', (_, outcome, expected) => {
    expect(afterHours(outcome)).toBe(expected);
  });

  it('is never later than the setting says', () => {
    expect(afterHours({ found: 'yes', watchMs: dayMs }, 12)).toBe(12);
  });

  it('waits as a registry says that limits requests, at most a day and a quarter', () => {
    const limited = { found: 'unknown', passing: true, failures: 0 } as const;

    expect(afterHours({ ...limited, retryAfterMs: 6 * hourMs })).toBeGreaterThanOrEqual(6);
    const hostile = afterHours({ ...limited, retryAfterMs: Number.MAX_SAFE_INTEGER });
    expect(hostile).toBeGreaterThanOrEqual(24);
    expect(hostile).toBeLessThanOrEqual(30);
  });
});
