import { useEffect, useRef, useState } from 'preact/hooks';
import type { RegistryClient } from '../../../shared/api/client/operations.ts';
import type { RequestError } from '../../../shared/api/client/request-error.ts';
import { toRequestError } from '../../api/to-request-error.ts';
import { hasOutcome } from '../../decisions/outcomes.ts';
import { useListRefreshes } from '../../state/list-refresh.ts';
import type { Filters } from './filters.ts';
import { mergeRows } from './merge-rows.ts';
import { type Row, type RowPage, readAttention, readBatch, readListed } from './rows.ts';

/** The lists of versions. */
export type Source = 'queue' | 'attention' | 'packages';

/** The state of a list. Rows keep their positions while the list is on the screen. */
interface Known {
  readonly attention: readonly Row[];
  readonly rows: readonly Row[];
  /** The total of the last answer. */
  readonly total: number | undefined;
  /** The number of older updates in the list, from the last answer; undefined if it is unknown. */
  readonly olderUpdates: number | undefined;
  /** The cursor of the next page; null at the end, and for lists with offsets. */
  readonly next: string | null;
  /** The number of answers. */
  readonly reads: number;
  readonly isLoading: boolean;
  readonly error: RequestError | undefined;
}

/** A list, with functions that read the page at an offset, or try again. */
export interface Listing extends Known {
  readonly more: (offset: number) => void;
  readonly retry: () => void;
}

const nothing: Known = {
  ...{ attention: [], rows: [], total: undefined, olderUpdates: undefined, next: null, reads: 0 },
  ...{ isLoading: true, error: undefined },
};

const noRows: RowPage = { rows: [], total: undefined, next: null };

/** Returns the filters of a list. The queue has pending versions alone. */
const toWanted = (source: Source, filters: Filters): Filters =>
  source === 'queue' ? { ...filters, status: 'pending' } : filters;

const appendRows = (known: readonly Row[], read: readonly Row[]): Row[] =>
  mergeRows(known, read, { isNewestFirst: false, hasOutcome });

/** Where a page begins: behind a cursor, or at an offset. */
interface Position {
  readonly offset: number;
  readonly after: string | null;
  readonly signal: AbortSignal;
}

const readPage = (api: RegistryClient, filters: Filters, position: Position): Promise<RowPage> =>
  filters.batch === '' ? readListed(api, filters, position) : readBatch(api, filters, position);

type Pages = readonly [attention: RowPage, listed: RowPage];

const readBoth = (
  api: RegistryClient,
  source: Source,
  { filters, signal }: { readonly filters: Filters; readonly signal: AbortSignal },
): Promise<Pages> =>
  Promise.all([
    source === 'packages' || filters.batch !== '' ? noRows : readAttention(api, filters, signal),
    source === 'attention'
      ? noRows
      : readPage(api, toWanted(source, filters), { offset: 0, after: null, signal }),
  ]);

const withFailure =
  (error: unknown) =>
  (before: Known): Known => ({ ...before, isLoading: false, error: toRequestError(error) });

/** Returns the state after an answer. The rows of another list are replaced; the rows of the same list are merged. */
const withPages =
  (
    [attention, { rows, total, olderUpdates, next }]: Pages,
    { isAnew, isNewestFirst }: { isAnew: boolean; isNewestFirst: boolean },
  ) =>
  (before: Known): Known => ({
    attention: isAnew ? attention.rows : appendRows(before.attention, attention.rows),
    rows: isAnew
      ? rows
      : mergeRows(before.rows, rows, { isNewestFirst, first: { total }, hasOutcome }),
    ...{ total, olderUpdates },
    // Later pages stay known when the first one is read again.
    next: isAnew || before.rows.length <= rows.length ? next : before.next,
    reads: before.reads + 1,
    ...{ isLoading: false, error: undefined },
  });

/** Loads a list, and loads it again when lists are refreshed. */
export const useListing = (api: RegistryClient, source: Source, filters: Filters): Listing => {
  const [known, setKnown] = useState(nothing);
  const [round, setRound] = useState(0);
  const happened = useListRefreshes();
  const asked = JSON.stringify([source, filters]);
  const shown = useRef('');
  const isAskingMore = useRef(false);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const isAnew = shown.current !== asked;
    const isNewestFirst = filters.sort.startsWith('-');
    if (isAnew) setKnown((before) => ({ ...before, isLoading: true, error: undefined }));
    readBoth(api, source, { filters, signal }).then(
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
      const { rows, total, olderUpdates, next } = await readPage(
        api,
        toWanted(source, filters),
        position,
      );
      if (shown.current !== asked) return;
      setKnown((before) => ({
        ...before,
        ...{ rows: appendRows(before.rows, rows), total, olderUpdates, next },
        reads: before.reads + 1,
      }));
    } catch (error) {
      setKnown(withFailure(error));
    } finally {
      isAskingMore.current = false;
    }
  };
  return { ...known, more, retry: () => setRound((before) => before + 1) };
};
