import { expect, it } from 'vitest';
import { simulateOften } from './contention-model.ts';

/** In the model, a transaction takes 20 ms. No test on one machine can show DynamoDB's real times. */

/** The write units of a submission at its most written partition key, as `key-limits.test.ts` measures them. */
const keyUnits = 2;

it.each([
  { shards: 1, perSecond: 5, median: 20, p99: 100, worst: 140 },
  { shards: 4, perSecond: 40, median: 20, p99: 60, worst: 65 },
  { shards: 16, perSecond: 160, median: 20, p99: 30, worst: 30 },
  { shards: 32, perSecond: 500, median: 20, p99: 30, worst: 100 },
])(
  'with $shards shards, $perSecond submissions a second take $p99 ms at most, 99 of 100 of them',
  ({ shards, perSecond, ...longest }) => {
    const { median, p99, worst } = simulateOften({ shards, perSecond, keyUnits });

    expect(median).toBeLessThanOrEqual(longest.median);
    expect(p99).toBeLessThanOrEqual(longest.p99);
    expect(worst).toBeLessThanOrEqual(longest.worst);
  },
);

it.each([
  { shards: 4, perSecond: 40 },
  { shards: 16, perSecond: 160 },
])(
  'with $shards shards, writers that stay where they meet take twice as long at least',
  (traffic) => {
    const stays = simulateOften({
      ...{ ...traffic, keyUnits },
      adapt: ({ layout, shard }) => ({ layout, shard }),
    });

    expect(stays.p99).toBeGreaterThan(2 * simulateOften({ ...traffic, keyUnits }).p99);
  },
);

it.each([
  { what: 'more submissions', perSecond: 700, keyUnits },
  { what: 'a row with three local indexes under one key', perSecond: 160, keyUnits: 8 },
])('shows that a partition key is too busy for $what', ({ perSecond, keyUnits: units }) => {
  const { p99 } = simulateOften({ shards: 32, perSecond, keyUnits: units, forMs: 10_000 }, 3);

  expect(p99).toBeGreaterThan(1000);
});
