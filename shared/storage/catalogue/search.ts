import { refuseInvalid } from '../../domain/errors.ts';
import {
  isFoundBy,
  isShortTerm,
  nameTextLength,
  type SearchTerm,
} from '../../domain/packages/search.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import type { BrowseQuery, CataloguePage } from './browse.ts';
import { describeFacet, toFacets } from './facets.ts';
import { createKeptReads } from './kept-reads.ts';
import { readLargeCounters } from './large-counters.ts';
import type { CatalogueLayout } from './layout.ts';
import { type RangeRead, type RowCount, readRange, type TextRange } from './read-range.ts';
import { cutText, readRest, readRow, readSequenceNumber, type SearchRow } from './rows.ts';
import { findShards, isComplete, isQuiet } from './search-shards.ts';

export interface SearchQuery extends BrowseQuery {
  readonly search: SearchTerm;
}

/** Returns the ranges of a search term: as typed, and in its PyPI spelling if that differs. */
const findRanges = ({ text, foldedText }: SearchTerm): TextRange[] =>
  [...new Set([text, foldedText])].map((sought) => {
    const startsName = isShortTerm(sought);
    const kept = [...sought].slice(0, nameTextLength).join('');
    const [beginning, rest] = cutText(kept, startsName);
    return { beginning, rest, startsName };
  });

/** Maximum number of rows that one search reads in all ranges: about 5,000 read units. */
const defaultMostRows = 250_000;

/** Returns a function that counts the rows of a search, and throws an error above the maximum. */
const createBound = (mostRows: number): RowCount => {
  let rows = 0;
  return (read) => {
    rows += read;
    if (rows <= mostRows) return;
    throw refuseInvalid(
      'search',
      `must be longer: more than ${mostRows.toLocaleString('en')} places in names and descriptions begin with it`,
    );
  };
};

/** Returns the versions that match the search and the filter, by sequence number. */
const collectMatches = (
  reads: readonly RangeRead[],
  query: SearchQuery,
): Map<number, SearchRow> => {
  const cells = new Set(toFacets(query));
  const matches = new Map<number, SearchRow>();
  for (const { range, rows } of reads) {
    for (const row of rows) {
      if (!cells.has(row.c)) continue;
      const version = { ecosystem: describeFacet(row.c).ecosystem, name: row.n };
      const text = `${range.beginning}${readRest(row)}`;
      if (isFoundBy(text, version, query.search)) matches.set(readSequenceNumber(row), row);
    }
  }
  return matches;
};

/** Number of rows from which a term is broad, and its rows are kept: about 20 read units. */
const defaultBroadRows = 2000;

/** Most calls of one search at once: enough for two spellings in the shards of 100 million versions. */
const callsAtOnce = 24;

/** Settings of a searcher; only tests use other values than the defaults. */
interface SearcherOptions {
  readonly mostRows?: number;
  readonly broadRows?: number;
  /** Returns the time in epoch milliseconds. */
  readonly readClock?: () => number;
}

/**
 * Returns the function that searches the catalogue. Its state is the shards of the last search, which saves a round
 * trip, and for two seconds the rows of a broad term.
 */
export const createSearcher = (
  layout: CatalogueLayout,
  {
    mostRows = defaultMostRows,
    broadRows = defaultBroadRows,
    readClock = Date.now,
  }: SearcherOptions = {},
) => {
  /** Known shards, with the last changes of their versions as of the last search. */
  let known: ReadonlyMap<number, number> = new Map([[0, Number.POSITIVE_INFINITY]]);
  const kept = createKeptReads(readClock, broadRows);

  /** Reads ranges in shards: eventually consistent where the last change of a shard is long ago. */
  const readShards = (
    shards: ReadonlyMap<number, number>,
    ranges: readonly TextRange[],
    count: RowCount,
  ): Promise<RangeRead[]> => {
    const nowMs = readClock();
    const reads = [...shards].flatMap(([shard, changedAt]) =>
      ranges.map((range) => ({ range, shard, eventual: isQuiet(changedAt, nowMs), readAt: nowMs })),
    );
    return runInParallel(reads, callsAtOnce, (read) => readRange(read, count));
  };

  /**
   * Returns one page of matches.
   * @throws {RegistryError} `validation_failed` if too many rows match the term
   */
  return async (query: SearchQuery): Promise<CataloguePage> => {
    const ranges = findRanges(query.search);
    const atHand = kept
      .find(query.search)
      .filter(({ shard, readAt }) => isQuiet(known.get(shard) ?? Number.NaN, readAt));
    const began = readClock();
    const count = createBound(mostRows);
    const guessed = new Map(
      [...known].filter(([shard]) => !atHand.some((read) => read.shard === shard)),
    );
    for (const { rows } of atHand) count(rows.length);
    const [counters, read] = await Promise.all([
      readLargeCounters(),
      readShards(guessed, ranges, count),
    ]);
    const shards = findShards(counters, toFacets(query), layout);
    const early = [...atHand, ...read];
    const complete = early.filter((one) => isComplete(one, shards, began));
    for (const { rows } of early.filter((one) => !complete.includes(one))) count(-rows.length);
    const missed = new Map(
      [...shards].filter(([shard]) => !complete.some((one) => one.shard === shard)),
    );
    const reads = [...complete, ...(await readShards(missed, ranges, count))];
    known = new Map([...known, ...shards]);
    kept.keep(query.search, reads);
    const matches = collectMatches(reads, query);
    const sequences = [...matches.keys()].sort(query.order.compare);
    const rows = sequences
      .slice(query.offset, query.offset + query.limit)
      .flatMap((sequence) => matches.get(sequence) ?? []);
    return { packages: rows.map(readRow), total: matches.size };
  };
};
