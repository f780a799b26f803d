/**
 * The part of a registry with up to a hundred million versions that lists and searches read: the counters of all large
 * buckets, the counters of the small buckets that pages enter, and the rows of these pages and of some search terms.
 * Each version exists in the counts; only the rows around the read places exist as items.
 */
import {
  findSearchShard,
  isBrowseKey,
  toLargeBucketKey,
  toSearchPartition,
  toSmallBucketKey,
} from '../../shared/storage/catalogue/catalogue-keys.ts';
import { makeShardId } from '../../shared/storage/catalogue/counters.ts';
import { allFacets, toFacet, toFacets } from '../../shared/storage/catalogue/facets.ts';
import { defaultLayout, findPiece } from '../../shared/storage/catalogue/layout.ts';
import type { RowsQuery } from '../../shared/storage/catalogue/read-rows.ts';
import {
  type CatalogueRow,
  type CatalogueVersion,
  makeRows,
} from '../../shared/storage/catalogue/rows.ts';
import type { StoredItem } from '../../shared/storage/dynamodb/table.ts';
import { realisticPackages } from '../support/realistic-packages.ts';
import type { StoredItems } from './stored-registry.ts';

/** A page to read, by offset. */
export interface PageQuery extends RowsQuery {
  readonly offset: number;
}

const pageLength = 100;
const { largeBucketBits, smallBucketBits } = defaultLayout;
const shards = 4;

/** The versions repeat these, in an order without a period. */
const pool = [...realisticPackages(4000)];
const poolFacets = pool.map(({ submission, decision }) =>
  allFacets.indexOf(
    toFacet({ ecosystem: submission.ecosystem, status: decision?.to ?? 'pending' }),
  ),
);

/** Spreads the bits of a number (the finalizer of MurmurHash3). */
const mixBits = (value: number): number => {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
};

const findEntry = (sequence: number): number => mixBits(sequence) % pool.length;

let known = new Uint8Array(1);

/** Returns the number of the facet of each sequence number up to the last one. */
const listFacets = (size: number): Uint8Array => {
  if (known.length <= size) {
    known = new Uint8Array(size + 1);
    for (let at = 1; at <= size; at += 1) known[at] = poolFacets[findEntry(at)] ?? 0;
  }
  return known;
};

/** Returns a flag for each facet: 1 if the filter matches it. */
const flagFacets = (filter: Parameters<typeof toFacets>[0]): Uint8Array => {
  const wanted = toFacets(filter);
  return Uint8Array.from(allFacets, (facet) => (wanted.includes(facet) ? 1 : 0));
};

const toVersion = (sequence: number): CatalogueVersion => {
  const entry = pool[findEntry(sequence)];
  if (!entry) throw new Error('The pool has no such entry');
  const { ecosystem, name, version, license = null, description = null } = entry.submission;
  const status = entry.decision?.to ?? 'pending';
  return {
    ecosystem,
    name,
    version: `${version}-${sequence}`,
    license,
    description,
    status,
    sequence,
  };
};

/** Returns the counts of each facet in ranges of 2^bits numbers, from the first to the last sequence number. */
const countFacets = (first: number, last: number, bits: number): Map<number, Int32Array> => {
  const facets = listFacets(last);
  const counts = new Map<number, Int32Array>();
  const size = 2 ** bits;
  for (let range = findPiece(first, bits); range * size <= last; range += 1) {
    const sums = new Int32Array(allFacets.length);
    const end = Math.min(last, (range + 1) * size - 1);
    for (let at = Math.max(first, range * size); at <= end; at += 1) {
      const facet = facets[at] ?? 0;
      sums[facet] = (sums[facet] ?? 0) + 1;
    }
    counts.set(range, sums);
  }
  return counts;
};

const toCounter = (sums: Int32Array): StoredItem => ({
  ...Object.fromEntries(allFacets.map((facet, at) => [facet, sums[at] ?? 0])),
  u: sums.reduce((sum, count) => sum + count, 0),
});

/** Returns the sequence numbers of the matches from some before a page's start to its end, in list order. */
const findMatches = ({ order, offset, ...filter }: PageQuery, size: number): number[] => {
  const flags = flagFacets(filter);
  const facets = listFacets(size);
  const [start, step] = order.isAscending ? [1, 1] : [size, -1];
  const before = 2 ** smallBucketBits;
  const found: number[] = [];
  let passed = 0;
  for (let at = start; at >= 1 && at <= size; at += step) {
    if (!flags[facets[at] ?? 0]) continue;
    if (passed >= offset - before) found.push(at);
    passed += 1;
    if (passed >= offset + pageLength) break;
  }
  return found;
};

/** Returns the page of a query as a full read of all versions would give it. */
export const expectPage = (query: PageQuery, size: number) => {
  const skipped = Math.min(query.offset, 2 ** smallBucketBits);
  return findMatches(query, size)
    .slice(skipped, skipped + pageLength)
    .map((sequence) => {
      const { name, version, ecosystem, status, license } = toVersion(sequence);
      return { name, version, ecosystem, status, license };
    });
};

/** Returns the number of versions that match a filter. */
export const countVersions = (
  filter: Omit<PageQuery, 'order' | 'offset'>,
  size: number,
): number => {
  const flags = flagFacets(filter);
  const facets = listFacets(size);
  let count = 0;
  for (let at = 1; at <= size; at += 1) count += flags[facets[at] ?? 0] ?? 0;
  return count;
};

/** Search term with a number of rows in each shard of search rows. */
export interface RowsOfTerm {
  readonly term: string;
  readonly rowsInShard: number;
}

const makeSearchRows = ({ term, rowsInShard }: RowsOfTerm, size: number): CatalogueRow[] => {
  const rows: CatalogueRow[] = [];
  const last = findSearchShard(size, defaultLayout);
  for (let shard = 0; shard <= last; shard += 1) {
    const first = shard === 0 ? 1 : 2 ** (defaultLayout.searchShardBits + shard - 1);
    for (let at = 0; at < rowsInShard; at += 1) {
      const version = { ...toVersion(first + at), name: `${term}-${first + at}` };
      const partition = toSearchPartition(shard, term.slice(0, 3), false);
      rows.push(...makeRows(version, defaultLayout).filter(({ p }) => p === partition));
    }
  }
  return rows;
};

/** Items of the counters before any compaction: each closed large bucket in its first shard, the last one in all. */
export function* largeRegistryItems(
  size: number,
  {
    queries,
    terms,
  }: { readonly queries: readonly PageQuery[]; readonly terms: readonly RowsOfTerm[] },
): Generator<Partial<StoredItems>> {
  const lastBucket = findPiece(size, largeBucketBits);
  for (const [bucket, sums] of countFacets(1, size, largeBucketBits)) {
    const isOpen = bucket === lastBucket;
    const none = new Int32Array(allFacets.length);
    yield {
      catalogue: Array.from({ length: isOpen ? shards : 1 }, (_, shard) => ({
        ...toLargeBucketKey(bucket, shard),
        ...toCounter(shard === 0 ? sums : none),
        i: makeShardId(),
      })),
    };
  }
  const matches = queries.flatMap((query) => findMatches(query, size));
  const smallBits = largeBucketBits - smallBucketBits;
  for (const bucket of new Set(matches.map((at) => findPiece(at, largeBucketBits)))) {
    const first = bucket * 2 ** largeBucketBits;
    const end = Math.min(size, first + 2 ** largeBucketBits - 1);
    for (const [small, sums] of countFacets(Math.max(1, first), end, smallBucketBits)) {
      const key = toSmallBucketKey(bucket, small - bucket * 2 ** smallBits, 0);
      yield { catalogue: [{ ...key, ...toCounter(sums) }] };
    }
  }
  for (const sequence of new Set(matches)) {
    const rows = makeRows(toVersion(sequence), defaultLayout).filter(isBrowseKey);
    yield { catalogue: rows.map((row) => ({ ...row })) };
  }
  for (const term of terms) {
    yield { catalogue: makeSearchRows(term, size).map((row) => ({ ...row })) };
  }
  yield { packages: [{ name_key: '#sequence', version_key: '#sequence', count: size }] };
}
