import { RegistryError } from '../../domain/errors.ts';
import { type Breakdown, findBreakdown, hasBreakdownItem, readBreakdownItem } from './breakdown.ts';
import { type LargeCounters, readLargeCounters } from './large-counters.ts';
import type { CatalogueLayout } from './layout.ts';

/** Counters, and the breakdown of one partition's summary, which is empty without a summary. */
export interface SummarizedCounters {
  readonly counters: LargeCounters;
  readonly breakdown: Breakdown;
}

/** Chooses a partition by the counters. */
type Choice = (counters: LargeCounters) => number;

/** Number of reads until a summary and its breakdown agree. Each compaction changes both, at most once a minute. */
const attempts = 3;

const refuseUnreadable = (): RegistryError =>
  new RegistryError(
    'storage_unavailable',
    'The counts of this part of the list could not be read. Try again.',
    { headers: { 'Retry-After': '1' } },
  );

/**
 * Returns the functions that read all counters, and the breakdown of the partition that `choose` selects. Their state is
 * the last counters. They predict the partition, so that both reads are one round trip.
 */
export const createSummaryReader = (layout: CatalogueLayout) => {
  let last: LargeCounters | undefined;

  const readCounters = async (): Promise<LargeCounters> => {
    last = await readLargeCounters();
    return last;
  };

  /** Returns the breakdown item of the likely partition if it has one. */
  const readGuessed = async (choose: Choice) => {
    const partition = last && choose(last);
    if (partition === undefined || !hasBreakdownItem(last?.summaries.get(partition))) {
      return undefined;
    }
    // An eventually consistent read is safe: an item of another generation does not count.
    return { partition, item: await readBreakdownItem(partition, { eventual: true }) };
  };

  /** @throws {RegistryError} `storage_unavailable` if the breakdown is lost or damaged */
  const readSummarized = async (choose: Choice): Promise<SummarizedCounters> => {
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const [guessed, counters] = await Promise.all([readGuessed(choose), readCounters()]);
      const partition = choose(counters);
      const summary = counters.summaries.get(partition);
      const known = guessed?.partition === partition ? guessed.item : undefined;
      const breakdown =
        findBreakdown(summary, known, layout) ??
        findBreakdown(summary, await readBreakdownItem(partition), layout);
      if (breakdown) return { counters, breakdown };
    }
    throw refuseUnreadable();
  };

  return { readCounters, readSummarized };
};
