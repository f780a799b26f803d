import { describe, expect, inject, it } from 'vitest';
import { histories } from '../support/histories.ts';
import { runHistory } from './histories/run-history.ts';
import { type Plant, plantNames } from './options.ts';

const assembly = inject('assembly');
const seeds = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

describe('concurrent clients with engine failures', () => {
  it.each(seeds(histories(1)))(
    'see and store only what the API promises (seed %i)',
    async (seed) => {
      const { violations, befallen } = await runHistory({ seed, assembly });

      expect(violations).toEqual([]);
      expect(befallen.size).toBeGreaterThan(3);
    },
  );
});

/** A violation that identifies each planted bug. */
const signs: Readonly<Record<Plant, RegExp>> = {
  'lost-counter': /^\/api\/v1\/packages\?/,
  'duplicate-sequence-number': /two versions have one sequence number/,
  'early-acknowledgement': /no order explains|otherwise when it was replayed/,
  'stale-read': /no order explains/,
};

/** The interleaving of clients depends on the machine, so one history may miss a bug. */
const mostHistories = 3;

const isSeen = async (plant: Plant): Promise<boolean> => {
  for (const seed of seeds(mostHistories)) {
    const { violations } = await runHistory({ seed, assembly, plant, stepsOfEach: 10 });
    if (violations.some((violation) => signs[plant].test(violation))) return true;
  }
  return false;
};

describe('a planted bug between the registry and its tables', () => {
  it.each(plantNames)('causes a violation: %s', async (plant) => {
    expect(await isSeen(plant)).toBe(true);
  });
});
