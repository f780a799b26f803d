import { describe, expect, it } from 'vitest';
import { countRows } from '../../../shared/use-cases/vulnerability-index/count-rows.ts';

/** Counts rows that are the numbers from 1 to `total`; also tells how many of them were read. */
const count = async (total: number) => {
  let read = 0;
  const counted = await countRows<number>(async ({ after = 0, count: most }) => {
    const rows = Array.from({ length: Math.min(most, total - after) }, (_, at) => after + at + 1);
    read += rows.length;
    return rows;
  });
  return { ...counted, read };
};

describe('the count of the versions that an acceptance is about', () => {
  it.each([0, 499, 500, 9_999])('tells of %i exactly', async (total) => {
    const expected = { affects: total, affects_at_least: false, read: total };

    expect(await count(total)).toEqual(expected);
  });

  it.each([10_000, 1_000_000])('of %i tells of the 10,000 that it read', async (total) => {
    const expected = { affects: 10_000, affects_at_least: true, read: 10_000 };

    expect(await count(total)).toEqual(expected);
  });
});
