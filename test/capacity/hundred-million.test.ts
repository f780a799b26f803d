import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseSearchTerm } from '../../shared/domain/packages/search.ts';
import { type CatalogueQuery, createCatalogue } from '../../shared/storage/catalogue/catalogue.ts';
import { largeBucketPartition } from '../../shared/storage/catalogue/catalogue-keys.ts';
import { compactCounters } from '../../shared/storage/catalogue/compact-counters.ts';
import { readCounters } from '../../shared/storage/catalogue/counters.ts';
import { defaultLayout } from '../../shared/storage/catalogue/layout.ts';
import { newestFirst, oldestFirst } from '../../shared/storage/catalogue/order.ts';
import { createSearcher } from '../../shared/storage/catalogue/search.ts';
import { decidePackage } from '../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { type Measurement, measure, type TestEngine } from '../support/engine.ts';
import { realisticPackages } from '../support/realistic-packages.ts';
import { countVersions, expectPage, largeRegistryItems, type PageQuery } from './large-registry.ts';
import { openItems } from './loaded-registry.ts';
import { writeContext } from './write-context.ts';

/**
 * The figures of 1,000 versions hold for ten and a hundred million. The counters are those of all versions, and the
 * worker itself summarizes them. The rows are those that the measured requests read; versions without rows are
 * modelled by their counts.
 */

const loadMs = 600_000;
const limit = 100;

const filters = [
  {},
  { ecosystem: 'npm' },
  { status: 'approved' },
  { ecosystem: 'docker', status: 'rejected' },
] as const;

const rare = { term: 'qzxrare', rowsInShard: 3 };
const broad = { term: 'qzybroad', rowsInShard: 500 };

const termOf = (text: string) => parseSearchTerm(text);
const unitsOf = ({ readUnits, writeUnits }: Measurement): number => readUnits + writeUnits;
const mean = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

describe.each([
  { size: 10_000_000, searchShards: 8, mostCalls: 12 },
  { size: 100_000_000, searchShards: 11, mostCalls: 20 },
])('a registry with $size versions', ({ size, searchShards, mostCalls }) => {
  let engine: TestEngine;
  const totals = new Map(
    filters.map((filter) => [JSON.stringify(filter), countVersions(filter, size)]),
  );
  const queries: readonly PageQuery[] = filters.flatMap((filter) =>
    [newestFirst, oldestFirst].flatMap((order) =>
      [0, 0.37, 0.93].map((share) => ({
        ...filter,
        order,
        offset: share < 1 ? Math.floor((totals.get(JSON.stringify(filter)) ?? 0) * share) : share,
      })),
    ),
  );
  const list = createCatalogue();
  const show = (query: Partial<CatalogueQuery>) =>
    measure(() => list({ order: newestFirst, limit, offset: 0, ...query }));

  beforeAll(async () => {
    engine = await openItems(largeRegistryItems(size, { queries, terms: [rare, broad] }));
    for (let minute = 1; minute <= 15; minute += 1) {
      await compactCounters({
        deadline: { remainingMs: () => loadMs },
        readClock: () => minute * 60_000,
      });
    }
  }, loadMs);
  afterAll(() => engine.close());

  it('has few counters for each list to read', async () => {
    const { result, readUnits } = await measure(() => readCounters(largeBucketPartition));

    // A summary for each 4 million versions, some closed buckets, and the open one.
    expect(result.length).toBeLessThanOrEqual(Math.ceil(size / 2 ** 22) + 24 + 4);
    expect(readUnits).toBe(1);
  });

  it.each(queries)('shows the page of %j, as a full read would', async (query) => {
    // The first page tells a new instance where the counts are.
    await show(query);

    const { result, readUnits, roundTrips } = await show(query);

    const { offset, order: _, ...filter } = query;
    expect(result.total).toBe(totals.get(JSON.stringify(filter)));
    expect(result.packages).toEqual(expectPage(query, size));
    expect(roundTrips).toBeLessThanOrEqual(offset === 0 ? 1 : 3);
    expect(readUnits).toBeLessThanOrEqual(offset === 0 ? 4 : 11);
  });

  it(`finds a rare word in ${searchShards} shards, in one round trip`, async () => {
    await show({ search: termOf(rare.term) });

    const { result, calls, roundTrips, readUnits } = await show({ search: termOf(rare.term) });

    expect(result.total).toBe(rare.rowsInShard * searchShards);
    expect({ calls, roundTrips }).toEqual({ calls: searchShards + 1, roundTrips: 1 });
    expect(calls).toBeLessThanOrEqual(mostCalls);
    expect(readUnits).toBe(1 + searchShards / 2);
  });

  it('finds a frequent word for half as much as by strongly consistent reads, and for nothing again', async () => {
    const search = parseSearchTerm(broad.term);
    if (!search) throw new Error('There is nothing to search for');
    const query = { search, order: newestFirst, limit, offset: 0 };
    /** An instance that knows the shards. */
    const open = async (nowMs: number) => {
      const searchIn = createSearcher(defaultLayout, { readClock: () => nowMs });
      await searchIn({ ...query, search: { text: 'zzz', foldedText: 'zzz' } });
      return () => measure(() => searchIn(query));
    };
    // At the time 0, no change is long ago.
    const strong = await (await open(0))();
    const searchQuietly = await open(Date.UTC(2024, 0, 1));

    const first = await searchQuietly();
    const second = await searchQuietly();

    expect(first.result.total).toBe(broad.rowsInShard * searchShards);
    expect([second.result, strong.result]).toEqual([first.result, first.result]);
    expect(first.roundTrips).toBe(1);
    expect(first.readUnits).toBeLessThanOrEqual(strong.readUnits / 2 + 2);
    expect(second.calls).toBe(1);
  });

  it('submits for 84 units on average and decides for 87, and lists both at once', async () => {
    const further = [...realisticPackages(550, 7)].slice(500);
    const before = (await show({ status: 'approved' })).result.total;
    const submitted = [];
    const approved = [];
    for (const { submission } of further) {
      submitted.push(await measure(() => submitPackage(submission, writeContext())));
      const request = { to: 'approved', by: 'ana', reason: null } as const;
      approved.push(await measure(() => decidePackage(submission, request, writeContext())));

      const { packages } = (await show({ status: 'approved', limit: 1 })).result;
      expect(packages).toMatchObject([{ name: submission.name, version: submission.version }]);
      const search = termOf(submission.name);
      const found = await show({ search, status: 'approved', limit: 1 });
      expect(found.result.packages).toMatchObject([{ version: submission.version }]);
    }

    expect((await show({ status: 'approved' })).result.total).toBe(before + further.length);
    expect(mean(submitted.map(unitsOf))).toBeLessThanOrEqual(84);
    expect(mean(approved.map(unitsOf))).toBeLessThanOrEqual(87);
    expect(new Set(submitted.map(({ roundTrips }) => roundTrips))).toEqual(new Set([3]));
    expect(new Set(approved.map(({ roundTrips }) => roundTrips))).toEqual(new Set([3]));
  });
});
