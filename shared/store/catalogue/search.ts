import { tableName } from '../../config/env.ts';
import { isFoundBy, isShortTerm, nameTextLength, type SearchTerm } from '../../domain/search.ts';
import { queryItems } from '../query-items.ts';
import type { BrowseQuery, CataloguePage } from './browse.ts';
import { cellsOf, classOf } from './cells.ts';
import { readLastCoarseBlock } from './counters.ts';
import { searchPartition, searchShard } from './keys.ts';
import type { CatalogueLayout } from './layout.ts';
import { cutText, itemOfSearchRow, ordinalOf, restOf, type SearchRow } from './rows.ts';

export interface SearchQuery extends BrowseQuery {
  readonly search: SearchTerm;
}

/** Search rows whose texts begin alike: where they stand in each shard, and what their positions begin with. */
interface TextRange {
  readonly beginning: string;
  readonly rest: string;
  readonly startsName: boolean;
}

/** The range of the term as typed, and that of its pypi spelling where it differs. */
const rangesOf = ({ text, pypiText }: SearchTerm): TextRange[] =>
  [...new Set([text, pypiText])].map((sought) => {
    const startsName = isShortTerm(sought);
    const kept = [...sought].slice(0, nameTextLength).join('');
    const [beginning, rest] = cutText(kept, startsName);
    return { beginning, rest, startsName };
  });

const readRange = async (
  { beginning, rest, startsName }: TextRange,
  shard: number,
): Promise<SearchRow[]> => {
  const rows = await queryItems({
    TableName: tableName('catalogue'),
    KeyConditionExpression: rest ? 'p = :partition AND begins_with(o, :rest)' : 'p = :partition',
    ExpressionAttributeValues: {
      ':partition': searchPartition(shard, beginning, startsName),
      ...(rest && { ':rest': rest }),
    },
  });
  return rows as unknown as SearchRow[];
};

/** Each version that the rows find and the filter lets through, once, by its ordinal. */
const matchesIn = (
  read: readonly { readonly range: TextRange; readonly rows: readonly SearchRow[] }[],
  query: SearchQuery,
): Map<number, SearchRow> => {
  const cells = new Set(cellsOf(query));
  const matches = new Map<number, SearchRow>();
  for (const { range, rows } of read) {
    for (const row of rows) {
      if (!cells.has(row.c)) continue;
      const version = { ecosystem: classOf(row.c).ecosystem, name: row.n };
      const text = `${range.beginning}${restOf(row)}`;
      if (isFoundBy(text, version, query.search)) matches.set(ordinalOf(row), row);
    }
  }
  return matches;
};

const shardNumbers = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);

/** Searches the catalogue. Its state is only a guess that saves a round trip: how many shards there are. */
export const createSearcher = (layout: CatalogueLayout) => {
  let knownShards = 1;

  const readShards = (shards: readonly number[], ranges: readonly TextRange[]) =>
    Promise.all(
      ranges.flatMap((range) =>
        shards.map(async (shard) => ({ range, rows: await readRange(range, shard) })),
      ),
    );

  /** The last coarse block tells how far ordinals have come, and so how many shards there can be. */
  const countShards = async (): Promise<number> => {
    const endOfBlocks = ((await readLastCoarseBlock()) + 1) * 2 ** layout.coarseBits;
    return searchShard(endOfBlocks - 1, layout) + 1;
  };

  return async (query: SearchQuery): Promise<CataloguePage> => {
    const ranges = rangesOf(query.search);
    const guessed = knownShards;
    const [shards, read] = await Promise.all([
      countShards(),
      readShards(shardNumbers(0, guessed), ranges),
    ]);
    const further = await readShards(shardNumbers(guessed, shards), ranges);
    knownShards = Math.max(knownShards, shards);
    const matches = matchesIn([...read, ...further], query);
    const ordinals = [...matches.keys()].sort((a, b) => (query.newestFirst ? b - a : a - b));
    const rows = ordinals
      .slice(query.offset, query.offset + query.limit)
      .flatMap((ordinal) => matches.get(ordinal) ?? []);
    return { packages: rows.map(itemOfSearchRow), total: matches.size };
  };
};
