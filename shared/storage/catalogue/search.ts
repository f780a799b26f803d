import { refuseInvalid } from '../../domain/errors.ts';
import {
  isFoundBy,
  isShortTerm,
  nameTextLength,
  type SearchTerm,
} from '../../domain/packages/search.ts';
import { queryPages, type Range } from '../dynamodb/read.ts';
import type { BrowseQuery, CataloguePage } from './browse.ts';
import { toSearchPartition } from './catalogue-keys.ts';
import { readLargeBucketCounts } from './counters.ts';
import { describeFacet, toFacets } from './facets.ts';
import type { CatalogueLayout } from './layout.ts';
import { findPieces } from './positions.ts';
import {
  cutText,
  readRest,
  readSearchRow,
  readSequenceNumber,
  type SearchRow,
  searchRowsTable,
} from './rows.ts';

export interface SearchQuery extends BrowseQuery {
  readonly search: SearchTerm;
}

/** Range of search rows whose texts have the same beginning. */
interface TextRange {
  readonly beginning: string;
  readonly rest: string;
  readonly startsName: boolean;
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
const createBound = (mostRows: number) => {
  let rows = 0;
  return (read: number): void => {
    rows += read;
    if (rows <= mostRows) return;
    throw refuseInvalid(
      'search',
      `must be longer: more than ${mostRows.toLocaleString('en')} places in names and descriptions begin with it`,
    );
  };
};

const selectRange = ({ beginning, rest, startsName }: TextRange, shard: number): Range => ({
  KeyConditionExpression: rest ? 'p = :partition AND begins_with(o, :rest)' : 'p = :partition',
  ExpressionAttributeValues: {
    ':partition': toSearchPartition(shard, beginning, startsName),
    ...(rest && { ':rest': rest }),
  },
});

const readRange = async (
  range: TextRange,
  shard: number,
  count: (read: number) => void,
): Promise<SearchRow[]> => {
  const rows: SearchRow[] = [];
  for await (const page of queryPages(searchRowsTable, selectRange(range, shard))) {
    count(page.length);
    rows.push(...page);
  }
  return rows;
};

/** Returns the versions that match the search and the filter, by sequence number. */
const collectMatches = (
  read: readonly { readonly range: TextRange; readonly rows: readonly SearchRow[] }[],
  query: SearchQuery,
): Map<number, SearchRow> => {
  const cells = new Set(toFacets(query));
  const matches = new Map<number, SearchRow>();
  for (const { range, rows } of read) {
    for (const row of rows) {
      if (!cells.has(row.c)) continue;
      const version = { ecosystem: describeFacet(row.c).ecosystem, name: row.n };
      const text = `${range.beginning}${readRest(row)}`;
      if (isFoundBy(text, version, query.search)) matches.set(readSequenceNumber(row), row);
    }
  }
  return matches;
};

/** Returns the function that searches the catalogue. Its state is the set of known shards, which saves a round trip. */
export const createSearcher = (
  { searchShardBits, largeBucketBits }: CatalogueLayout,
  mostRows: number = defaultMostRows,
) => {
  const knownShards = new Set([0]);

  const readShards = (
    shards: readonly number[],
    ranges: readonly TextRange[],
    count: (read: number) => void,
  ) =>
    Promise.all(
      ranges.flatMap((range) =>
        shards.map(async (shard) => ({ range, rows: await readRange(range, shard, count) })),
      ),
    );

  /** Returns the shards that contain versions that match the filter. */
  const findShards = async (query: SearchQuery): Promise<number[]> =>
    findPieces(await readLargeBucketCounts(toFacets(query)), searchShardBits - largeBucketBits);

  /**
   * Returns one page of matches.
   * @throws {RegistryError} `validation_failed` if too many rows match the term
   */
  return async (query: SearchQuery): Promise<CataloguePage> => {
    const ranges = findRanges(query.search);
    const guessed = [...knownShards];
    const count = createBound(mostRows);
    const [shards, read] = await Promise.all([
      findShards(query),
      readShards(guessed, ranges, count),
    ]);
    const missed = shards.filter((shard) => !guessed.includes(shard));
    const further = await readShards(missed, ranges, count);
    for (const shard of missed) knownShards.add(shard);
    const matches = collectMatches([...read, ...further], query);
    const sequences = [...matches.keys()].sort(query.order.compare);
    const rows = sequences
      .slice(query.offset, query.offset + query.limit)
      .flatMap((sequence) => matches.get(sequence) ?? []);
    return { packages: rows.map(readSearchRow), total: matches.size };
  };
};
