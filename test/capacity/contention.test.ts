import { expect, it } from 'vitest';
import { simulateOften } from './contention-model.ts';

/** In the model, a transaction takes 20 ms. No test on one machine can show DynamoDB's real times. */

it.each([
  { shards: 1, perSecond: 5, median: 20, p99: 100, worst: 140 },
  { shards: 4, perSecond: 40, median: 20, p99: 60, worst: 65 },
  { shards: 16, perSecond: 160, median: 20, p99: 30, worst: 30 },
])(
  'with $shards shards, $perSecond submissions a second take $p99 ms at most, 99 of 100 of them',
  ({ shards, perSecond, ...longest }) => {
    const { median, p99, worst } = simulateOften({ shards, perSecond });

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
      ...traffic,
      adapt: ({ layout, shard }) => ({ layout, shard }),
    });

    expect(stays.p99).toBeGreaterThan(2 * simulateOften(traffic).p99);
  },
);
