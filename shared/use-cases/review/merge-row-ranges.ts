import {
  type RowPage,
  type RowRange,
  readReviewRows,
} from '../../storage/reviews/read-review-rows.ts';
import type { ReviewRow } from '../../storage/reviews/review-rows.ts';

/** Fewest rows of one call: as many cost half a read unit or one. */
const fewestRows = 50;

/** A range of one rank, and the rows of it that were read and not yet given out. */
interface Stream {
  readonly range: RowRange;
  readonly rank: string;
  rows: readonly ReviewRow[];
  hasMore: boolean;
}

/** Returns the sort key of a row without its rank. */
const dropRank = ({ k }: ReviewRow, { rank }: Stream): string => k.slice(rank.length);

/** Returns the function that compares keys in the direction of a list. */
const compareIn =
  (isNewestFirst: boolean) =>
  (one: string, other: string): number => {
    const isLater = isNewestFirst ? one < other : one > other;
    return one === other ? 0 : isLater ? 1 : -1;
  };

/** Options of a merge. */
interface MergeOptions {
  readonly ranks: readonly string[];
  readonly isNewestFirst: boolean;
  /** Sort key without its rank, after which the list continues. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** Reads the next rows of a rank: all earlier ones were given out, those of other ranks as well. */
const readStream = async (
  stream: Stream,
  after: string | undefined,
  limit: number,
): Promise<void> => {
  const start = after === undefined ? undefined : `${stream.rank}${after}`;
  const { rows, hasMore } = await readReviewRows(stream.range, { after: start, limit });
  stream.rows = rows;
  stream.hasMore = hasMore;
};

/**
 * Yields the rows of several ranks of a list in the order of submission, page by page. All ranks are read in parallel, and
 * further where that order needs it.
 */
export async function* mergeRowRanges(
  partition: string,
  { ranks, isNewestFirst, after, limit }: MergeOptions,
): AsyncGenerator<RowPage> {
  const rowsACall = Math.max(fewestRows, Math.ceil(limit / ranks.length));
  const compare = compareIn(isNewestFirst);
  const streams = ranks.map(
    (rank): Stream => ({
      range: { partition, between: [rank, rank], isNewestFirst },
      ...{ rank, rows: [], hasMore: true },
    }),
  );
  let start = after;
  let isLast = false;
  while (!isLast) {
    const empty = streams.filter(({ rows, hasMore }) => hasMore && rows.length === 0);
    await Promise.all(empty.map((stream) => readStream(stream, start, rowsACall)));
    const open = streams.filter(({ hasMore }) => hasMore);
    // A rank that continues may have rows from its last one on: later rows of others wait.
    const [bound] = open
      .flatMap((stream) => stream.rows.slice(-1).map((row) => dropRank(row, stream)))
      .sort(compare);
    const found = streams.flatMap((stream) =>
      stream.rows
        .filter((row) => bound === undefined || compare(dropRank(row, stream), bound) <= 0)
        .map((row) => ({ row, key: dropRank(row, stream) })),
    );
    found.sort((one, other) => compare(one.key, other.key));
    for (const stream of streams) {
      stream.rows = stream.rows.filter(
        (row) => bound !== undefined && compare(dropRank(row, stream), bound) > 0,
      );
    }
    start = found.at(-1)?.key ?? start;
    isLast = streams.every(({ rows, hasMore }) => !hasMore && rows.length === 0);
    yield { rows: found.map(({ row }) => row), hasMore: !isLast };
  }
}
