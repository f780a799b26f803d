import { useEffect, useRef, useState } from 'preact/hooks';
import type { RegistryClient } from '../../../shared/api/client/operations.ts';
import type { RequestError } from '../../../shared/api/client/request-error.ts';
import { toRequestError } from '../../api/to-request-error.ts';
import { hasOutcome } from '../../decisions/outcomes.ts';
import { useListRefreshes } from '../../state/list-refresh.ts';
import { type Filters, isReviewList, type Source } from './filters.ts';
import { mergeRows } from './merge-rows.ts';
import { type Row, type RowPage, readAttention, readListed, readReviews } from './rows.ts';

/** The state of a list. Rows keep their positions while the list is on the screen. */
interface Known {
  /** The first versions that need attention, above the queue. */
  readonly attention: readonly Row[];
  /** True if more versions need attention. */
  readonly hasMoreAttention: boolean;
  readonly rows: readonly Row[];
  /** The total of the last answer. */
  readonly total: number | undefined;
  /** The number of older updates in the list, from the last answer; undefined if it is unknown. */
  readonly olderUpdates: number | undefined;
  /** The number of versions that the registry looked at for these rows; undefined if it counts the list. */
  readonly lookedAt: number | undefined;
  /** The cursor of the next page; null at the end, and for lists with offsets. */
  readonly next: string | null;
  /** The number of answers. */
  readonly reads: number;
  readonly isLoading: boolean;
  readonly error: RequestError | undefined;
}

/** A list, with functions that load the page at an offset, read any page, or try again. */
export interface Listing extends Known {
  readonly more: (offset: number) => void;
  /** Reads a page of the list, and changes nothing on the screen. */
  readonly readPage: (position: Position) => Promise<RowPage>;
  /** Identifies the list with its filters. */
  readonly id: string;
  readonly retry: () => void;
}

const nothing: Known = {
  ...{ attention: [], hasMoreAttention: false, rows: [], total: undefined },
  ...{ olderUpdates: undefined, lookedAt: undefined, next: null, reads: 0 },
  ...{ isLoading: true, error: undefined },
};

const noRows: RowPage = { rows: [], total: undefined, next: null };

/** A list of a user, with its filters. */
interface Wanted {
  readonly source: Source;
  /** The queue has pending versions alone. */
  readonly filters: Filters;
  /** The label of the user's token; undefined without one. */
  readonly label: string | undefined;
}

const appendRows = (known: readonly Row[], read: readonly Row[]): Row[] =>
  mergeRows(known, read, { isNewestFirst: false, hasOutcome });

/** Where a page begins: behind a cursor, or at an offset. */
interface Position {
  readonly offset: number;
  readonly after: string | null;
  readonly signal: AbortSignal;
}

const readPage = (
  api: RegistryClient,
  { source, filters, label }: Wanted,
  position: Position,
): Promise<RowPage> => {
  if (source === 'attention') return readAttention(api, filters, position);
  if (!isReviewList(source, filters)) return readListed(api, filters, position);
  if (source !== 'submissions') return readReviews(api, { filters, label: undefined }, position);
  return label === undefined
    ? Promise.resolve(noRows)
    : readReviews(api, { filters, label }, position);
};

type Pages = readonly [attention: RowPage, listed: RowPage];

/** Reads the first page of a list, and for the whole queue also the versions that need attention. */
const readBoth = (api: RegistryClient, wanted: Wanted, signal: AbortSignal): Promise<Pages> => {
  const { source, filters } = wanted;
  const position = { offset: 0, after: null, signal };
  const hasAttention = source === 'queue' && !isReviewList(source, filters);
  return Promise.all([
    hasAttention ? readAttention(api, filters, position) : noRows,
    readPage(api, wanted, position),
  ]);
};

const withFailure =
  (error: unknown) =>
  (before: Known): Known => ({ ...before, isLoading: false, error: toRequestError(error) });

/** Returns the state after an answer. The rows of another list are replaced; the rows of the same list are merged. */
const withPages =
  (
    [attention, { rows, total, olderUpdates, lookedAt, next }]: Pages,
    { isAnew, isNewestFirst }: { isAnew: boolean; isNewestFirst: boolean },
  ) =>
  (before: Known): Known => {
    // Later pages stay known when the first one is read again.
    const isWhole = isAnew || before.rows.length <= rows.length;
    return {
      attention: isAnew ? attention.rows : appendRows(before.attention, attention.rows),
      hasMoreAttention: attention.next !== null,
      rows: isAnew
        ? rows
        : mergeRows(before.rows, rows, { isNewestFirst, first: { total }, hasOutcome }),
      ...{ total, olderUpdates },
      lookedAt: isWhole ? lookedAt : before.lookedAt,
      next: isWhole ? next : before.next,
      reads: before.reads + 1,
      ...{ isLoading: false, error: undefined },
    };
  };

/** Loads a list, and loads it again when lists are refreshed. */
export const useListing = (
  api: RegistryClient,
  source: Source,
  { filters: given, label }: { readonly filters: Filters; readonly label: string | undefined },
): Listing => {
  const filters = source === 'queue' ? { ...given, status: 'pending' } : given;
  const wanted = { source, filters, label };
  const [known, setKnown] = useState(nothing);
  const [round, setRound] = useState(0);
  const happened = useListRefreshes();
  const asked = JSON.stringify(wanted);
  const shown = useRef('');
  const isAskingMore = useRef(false);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const isAnew = shown.current !== asked;
    const isNewestFirst =
      filters.sort.startsWith('-') || (source === 'submissions' && filters.sort === '');
    if (isAnew) setKnown((before) => ({ ...before, isLoading: true, error: undefined }));
    readBoth(api, wanted, signal).then(
      (pages) => {
        if (signal.aborted) return;
        shown.current = asked;
        setKnown(withPages(pages, { isAnew, isNewestFirst }));
      },
      (error: unknown) => {
        if (!signal.aborted) setKnown(withFailure(error));
      },
    );
    return () => controller.abort();
  }, [asked, happened, round]);
  const more = async (offset: number): Promise<void> => {
    if (isAskingMore.current) return;
    isAskingMore.current = true;
    const { signal } = new AbortController();
    try {
      const position = { offset, after: known.next, signal };
      const { rows, total, olderUpdates, lookedAt, next } = await readPage(api, wanted, position);
      if (shown.current !== asked) return;
      setKnown((before) => ({
        ...before,
        ...{ rows: appendRows(before.rows, rows), total, olderUpdates, next },
        lookedAt: lookedAt === undefined ? undefined : (before.lookedAt ?? 0) + lookedAt,
        reads: before.reads + 1,
      }));
    } catch (error) {
      setKnown(withFailure(error));
    } finally {
      isAskingMore.current = false;
    }
  };
  return {
    ...known,
    more,
    readPage: (position) => readPage(api, wanted, position),
    id: asked,
    retry: () => setRound((before) => before + 1),
  };
};
