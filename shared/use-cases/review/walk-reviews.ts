import type { ReviewsQuery } from '../../api/schemas/reviews-query.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import type { IssueCode } from '../../domain/review/approval.ts';
import { cursorMarks, listDemandRanks, listSevereRanks } from '../../domain/review/review-order.ts';
import { parseVersionKey } from '../../storage/packages/parse-version-key.ts';
import { queryPending } from '../../storage/packages/pending-versions.ts';
import {
  type RowPage,
  type RowRange,
  readReviewRows,
} from '../../storage/reviews/read-review-rows.ts';
import {
  pendingPartition,
  severePartition,
  toBatchPartition,
  toLabelPartition,
  wantedPartition,
} from '../../storage/reviews/review-lists.ts';
import { findReviewRows, findRowOwner, type ReviewRow } from '../../storage/reviews/review-rows.ts';
import type { ReviewState } from '../../storage/reviews/review-state.ts';
import { mergeRowRanges } from './merge-row-ranges.ts';

/** Version of a list of reviews, before its review state is read. */
export interface ListedRow
  extends Pick<ReviewRow, 'status' | 'submitted_by' | 'submitter' | 'cause'> {
  readonly id: PackageId;
  /** Issues in the upstream metadata; undefined in lists whose rows do not have them. */
  readonly signals: readonly IssueCode[] | undefined;
  readonly submitted_at: string;
  /** Cursor after which the list continues behind this version. */
  readonly cursor: string;
  /** True if the version is in this part of the list by its review state. */
  readonly belongs: (head: ReviewState) => boolean;
}

/** Rows that one call found. */
export interface ListedPage {
  readonly rows: readonly ListedRow[];
  /** True if the list continues after the last row. */
  readonly hasMore: boolean;
}

/** Part of a list. The parts of a list follow each other. */
interface ListPart {
  /** Beginning of the cursors of this part; empty for the order of submission. */
  readonly mark: string;
  /** Length of the rank in sort keys. */
  readonly rankLength: number;
  readonly read: (after: string | undefined, limit: number) => AsyncGenerator<RowPage>;
  readonly belongs: (row: ReviewRow, head: ReviewState) => boolean;
}

async function* readRange(
  range: RowRange,
  after: string | undefined,
  limit: number,
): AsyncGenerator<RowPage> {
  let start = after;
  let hasMore = true;
  while (hasMore) {
    const page = await readReviewRows(range, { after: start, limit });
    start = page.rows.at(-1)?.k;
    hasMore = page.hasMore && start !== undefined;
    yield { rows: page.rows, hasMore };
  }
}

const listRows = (head: ReviewState, { k }: ReviewRow): readonly ReviewRow[] =>
  findReviewRows(findRowOwner(k), head)?.rows ?? [];

/** True if a row follows from a review state. A wrong row would show a version twice, or in another list. */
const isRowOf = (row: ReviewRow, head: ReviewState): boolean =>
  listRows(head, row).some(({ v, k }) => v === row.v && k === row.k);

const inOrder = (range: RowRange): ListPart => ({
  ...{ mark: '', rankLength: 0, belongs: isRowOf },
  read: (after, limit) => readRange(range, after, limit),
});

/** A list in which versions have ranks. */
interface RankedList {
  readonly partition: string;
  readonly mark: string;
  readonly rankLength: number;
}

const severeList: RankedList = {
  ...{ partition: severePartition, mark: cursorMarks.severe, rankLength: 1 },
};
const wantedList: RankedList = {
  ...{ partition: wantedPartition, mark: cursorMarks.wanted, rankLength: 2 },
};

/** Returns the ranked list from its first rank to `last`, in the order of ranks; the whole list without `last`. */
const byRank = ({ partition, mark, rankLength }: RankedList, last?: string): ListPart => {
  const range = { partition, ...(last !== undefined && { between: ['0', last] as const }) };
  return { ...inOrder(range), mark, rankLength };
};

/** Returns the pending versions that have no row in a ranked list, in the order of submission. */
const withoutRank = ({ partition }: RankedList): ListPart => ({
  ...inOrder({ partition: pendingPartition }),
  mark: cursorMarks.others,
  belongs: (row, head) =>
    isRowOf(row, head) && !listRows(head, row).some(({ v }) => v === partition),
});

/** Returns some ranks of a list together, in the order of submission. */
const merged = (
  { partition, rankLength }: RankedList,
  ranks: readonly string[],
  isNewestFirst: boolean,
): ListPart => ({
  ...{ mark: '', rankLength, belongs: isRowOf },
  read: (after, limit) => mergeRowRanges(partition, { ...{ ranks, isNewestFirst }, after, limit }),
});

/** Returns the part of the list of all pending versions that may match a query, or its parts by rank. */
const listPendingParts = (query: ReviewsQuery): ListPart[] => {
  const { sort, demand } = query;
  const severe = listSevereRanks(query);
  const wanted = demand > 1 ? listDemandRanks(demand) : undefined;
  if (sort === 'severity') {
    return severe
      ? [byRank(severeList, severe.at(-1))]
      : [byRank(severeList), withoutRank(severeList)];
  }
  if (sort === 'demand') {
    return wanted
      ? [byRank(wantedList, wanted.at(-1))]
      : [byRank(wantedList), withoutRank(wantedList)];
  }
  const isNewestFirst = sort === '-submitted_at';
  if (severe) return [merged(severeList, severe, isNewestFirst)];
  if (wanted) return [merged(wantedList, wanted, isNewestFirst)];
  return [inOrder({ partition: pendingPartition, isNewestFirst })];
};

const listParts = (query: ReviewsQuery): ListPart[] => {
  const { batch, label } = query;
  const isNewestFirst = query.sort === '-submitted_at';
  if (batch !== undefined) return [inOrder({ partition: toBatchPartition(batch), isNewestFirst })];
  if (label !== undefined) return [inOrder({ partition: toLabelPartition(label), isNewestFirst })];
  return listPendingParts(query);
};

const toListed = (row: ReviewRow, { mark, rankLength, belongs }: ListPart): ListedRow[] => {
  const { k, status, submitted_by, submitter, cause, signals = [] } = row;
  const id = parseVersionKey(findRowOwner(k));
  const inTime = k.slice(rankLength);
  return id
    ? [
        {
          ...{ id, status, submitted_by, submitter },
          ...(cause && { cause }),
          signals: row.v === pendingPartition ? signals : undefined,
          submitted_at: inTime.slice(0, inTime.indexOf('#')),
          cursor: mark === '' ? inTime : `${mark}${k}`,
          belongs: (head) => belongs(row, head),
        },
      ]
    : [];
};

/** True if a list continues in a part of it: the cursor is in this part. */
const isIn = (cursor: string | undefined, { mark }: ListPart): boolean =>
  cursor === undefined || cursor.startsWith(mark);

async function* walkParts(query: ReviewsQuery, limit: number): AsyncGenerator<ListedPage> {
  const parts = listParts(query);
  const first = Math.max(
    0,
    parts.findIndex((part) => isIn(query.after, part)),
  );
  const left = parts.slice(first);
  for (const [at, part] of left.entries()) {
    const after = at === 0 ? query.after?.slice(part.mark.length) : undefined;
    const isLastPart = at === left.length - 1;
    for await (const { rows, hasMore } of part.read(after, limit)) {
      const listed = rows.flatMap((row) => toListed(row, part));
      yield { rows: listed, hasMore: hasMore || !isLastPart };
    }
  }
}

/** Yields the pending versions of a package, in the order of submission. */
async function* walkPackage(query: ReviewsQuery, limit: number): AsyncGenerator<ListedPage> {
  const { ecosystem, name, after } = query;
  if (ecosystem === undefined || name === undefined) return;
  let start = after?.slice(cursorMarks.versions.length);
  let hasMore = true;
  while (hasMore) {
    const { versions, next } = await queryPending({ ecosystem, name }, { after: start, limit });
    start = next;
    hasMore = next !== undefined;
    const rows = versions.map((item): ListedRow => {
      const { ecosystem: of, name: named, version, status, submitted_at, submitted_by } = item;
      const { submitted_token_label, automatic } = item;
      return {
        id: { ecosystem: of, name: named, version },
        ...{ status, submitted_at, submitted_by, submitter: submitted_token_label },
        ...(automatic && { cause: automatic.cause }),
        signals: undefined,
        cursor: `${cursorMarks.versions}${item.sequence}`,
        belongs: (head) => head.submitted_at === submitted_at,
      };
    });
    yield { rows, hasMore };
  }
}

/** True if a query reads the versions of one package from the index of packages. */
const isOfPackage = ({ name, batch, label }: ReviewsQuery): boolean =>
  name !== undefined && batch === undefined && label === undefined;

/** Yields the rows of the list that a query reads, page by page with at most `limit` rows, after its cursor. */
export const walkReviews = (query: ReviewsQuery, limit: number): AsyncGenerator<ListedPage> =>
  isOfPackage(query) ? walkPackage(query, limit) : walkParts(query, limit);
