import { describe, expect, it } from 'vitest';
import {
  findPercentile,
  findWaitBucket,
  waitBuckets,
} from '../../../shared/domain/review/waiting-time.ts';

const count = (...waits: readonly number[]): number[] => {
  const counts = Array.from({ length: waitBuckets }, () => 0);
  for (const hours of waits)
    counts[findWaitBucket(hours * 3600)] = (counts[findWaitBucket(hours * 3600)] ?? 0) + 1;
  return counts;
};

describe('waiting times', () => {
  it.each([
    [0, 0],
    [15 * 60, 0],
    [15 * 60 + 1, 1],
    [24 * 3600, 4],
    [30 * 24 * 3600, 10],
    [30 * 24 * 3600 + 1, 11],
  ])('of %d seconds are in bucket %d', (seconds, bucket) => {
    expect(findWaitBucket(seconds)).toBe(bucket);
  });

  it.each([
    ['no decision', count(), 0.5, null],
    ['one decision, half of its bucket', count(3), 0.5, 2.5],
    ['half of two buckets', count(0.5, 20), 0.5, 1],
    ['nine of ten in the first hour', count(...Array(9).fill(0.5), 100), 0.9, 1],
    ['the slowest tenth', count(...Array(8).fill(0.5), 100, 100), 0.9, 96],
    ['more than a month', count(1000, 1000), 0.5, 720],
  ] as const)('have a percentile: %s', (_, counts, share, hours) => {
    expect(findPercentile(counts, share)).toBe(hours);
  });
});
