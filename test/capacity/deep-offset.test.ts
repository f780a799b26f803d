import { afterEach, expect, it } from 'vitest';
import { createCatalogue } from '../../shared/storage/catalogue/catalogue.ts';
import { compactCounters } from '../../shared/storage/catalogue/compact-counters.ts';
import { changeCounts } from '../../shared/storage/catalogue/counters.ts';
import { toFacet } from '../../shared/storage/catalogue/facets.ts';
import { defaultLayout } from '../../shared/storage/catalogue/layout.ts';
import { newestFirst, oldestFirst } from '../../shared/storage/catalogue/order.ts';
import { makeRows } from '../../shared/storage/catalogue/rows.ts';
import { makeTarget } from '../../shared/storage/catalogue/target.ts';
import { measure, type TestEngine } from '../support/engine.ts';
import { realisticPackages } from '../support/realistic-packages.ts';
import { openItems } from './loaded-registry.ts';
import { createCounters, type StoredItems } from './stored-registry.ts';

/** More versions than a large bucket has, so that the first large bucket is closed. */
const many = 2 ** defaultLayout.largeBucketBits + 500;
const fewer = 2048;

let engine: TestEngine;
afterEach(() => engine.close());

/** The offsets of pages that start with the last row of a small bucket, so that most rows are skipped. */
const listOffsets = (versions: number): number[] =>
  [0.3, 0.6, 0.9].map((share) => {
    const sequences = 2 ** defaultLayout.smallBucketBits;
    return Math.floor((versions * share) / sequences) * sequences + sequences - 2;
  });

/**
 * The items that lists read in a registry with this number of counter shards: all counters, and the rows around the read
 * pages.
 */
function* listedItems(versions: number, shards: number): Generator<Partial<StoredItems>> {
  const counters = createCounters();
  const offsets = listOffsets(versions);
  let sequence = 0;
  for (const { submission, decision } of realisticPackages(versions)) {
    sequence += 1;
    const { license = null, description = null } = submission;
    const pending = { ...submission, license, description, status: 'pending' } as const;
    const version = { ...pending, status: decision?.to ?? pending.status, sequence };
    const target = makeTarget(sequence % shards);
    counters.add(changeCounts(sequence, { [toFacet(pending)]: 1 }, target));
    if (decision) {
      const changes = { [toFacet(pending)]: -1, [toFacet(version)]: 1 };
      counters.add(changeCounts(sequence, changes, target));
    }
    // In each order, a page may be near either end of the list.
    const places = [sequence, versions - sequence];
    if (offsets.some((offset) => places.some((place) => Math.abs(place - offset) <= 250))) {
      yield { catalogue: [{ ...makeRows(version, defaultLayout)[0] }] };
    }
  }
  const counter = { name_key: '#sequence', version_key: '#sequence', count: sequence };
  yield { catalogue: counters.items(), packages: [counter] };
}

const list = createCatalogue();

const measureDeepPages = async (versions: number) => {
  const costs = [];
  for (const offset of listOffsets(versions)) {
    for (const order of [oldestFirst, newestFirst]) {
      costs.push(await measure(() => list({ order, limit: 100, offset })));
    }
  }
  return {
    readUnits: Math.max(...costs.map(({ readUnits }) => readUnits)),
    calls: Math.max(...costs.map(({ calls }) => calls)),
    pages: costs.map(({ result }) => result),
  };
};

/** Runs the worker every minute; resolves to the most calls of one run. */
const runOften = async (times: number): Promise<number> => {
  const calls: number[] = [];
  for (let at = 1; at <= times; at += 1) {
    const readClock = () => at * 60_000;
    const run = () => compactCounters({ deadline: { remainingMs: () => 60_000 }, readClock });
    calls.push((await measure(run)).calls);
  }
  return Math.max(...calls);
};

/** The default setting first, then the range of the setting. */
it.each([
  { shards: 4, versions: many, unfolded: 18 },
  { shards: 1, versions: fewer, unfolded: 5 },
  { shards: 16, versions: fewer, unfolded: 7 },
  { shards: 32, versions: fewer, unfolded: 10 },
])(
  'shows any page among $versions versions for 8 units in 3 calls once counters in $shards shards are folded',
  async ({ shards, versions, unfolded }) => {
    engine = await openItems(listedItems(versions, shards));
    const before = await measureDeepPages(versions);

    const mostCalls = await runOften(12);

    const after = await measureDeepPages(versions);
    expect(after.pages).toEqual(before.pages);
    expect(after.readUnits).toBeLessThanOrEqual(8);
    expect(after.calls).toBeLessThanOrEqual(3);
    expect(before.readUnits).toBe(unfolded);
    // Of the 256 counters of small buckets, a run works on at most 200, with a call for each shard and one more.
    expect(mostCalls).toBeLessThanOrEqual(200 * (shards + 1) + 4);
  },
);
