import { useEffect, useRef, useState } from 'preact/hooks';
import type { RegistryClient } from '../../../shared/client/operations.ts';
import type { RequestError } from '../../../shared/client/request-error.ts';
import { toRequestError } from '../../api/use-answer.ts';
import { useHappened } from '../../frame/happenings.ts';
import { type Filters, type Row, type RowPage, readAttention, readListed } from './rows.ts';

export type Source = 'queue' | 'attention' | 'packages';

/** What is known of a list. Rows keep their places while somebody looks at them. */
export interface Listing {
  readonly attention: readonly Row[];
  readonly rows: readonly Row[];
  /** How many there were in all when that was asked last. */
  readonly total: number | undefined;
  readonly isLoading: boolean;
  readonly error: RequestError | undefined;
}

const nothing: Listing = {
  ...{ attention: [], rows: [], total: undefined, isLoading: true, error: undefined },
};

const noRows: RowPage = { rows: [], total: undefined };

/** What came later goes to the end where it belongs, and what is known of the others takes its place. */
const merge = (known: readonly Row[], read: readonly Row[], isNewestFirst: boolean): Row[] => {
  const fresh = new Map(read.map((row) => [row.key, row]));
  const kept = known.map((row) => fresh.get(row.key) ?? row);
  const keys = new Set(known.map(({ key }) => key));
  const further = read.filter(({ key }) => !keys.has(key));
  return isNewestFirst ? [...further, ...kept] : [...kept, ...further];
};

const readBoth = (
  api: RegistryClient,
  source: Source,
  { filters, signal }: { filters: Filters; signal: AbortSignal },
): Promise<[attention: RowPage, listed: RowPage]> => {
  const wanted = source === 'queue' ? { ...filters, status: 'pending' } : filters;
  return Promise.all([
    source === 'packages' ? noRows : readAttention(api, filters, signal),
    source === 'attention' ? noRows : readListed(api, wanted, { offset: 0, signal }),
  ]);
};

/** Reads a list, again whenever something happened; `more` reads the page after what is shown. */
export const useListing = (
  api: RegistryClient,
  source: Source,
  filters: Filters,
): Listing & { readonly more: (offset: number) => void; readonly retry: () => void } => {
  const [listing, setListing] = useState(nothing);
  const [round, setRound] = useState(0);
  const happened = useHappened();
  const asked = JSON.stringify([source, filters]);
  const shown = useRef('');
  const isAskingMore = useRef(false);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const isAnew = shown.current !== asked;
    if (isAnew)
      setListing(({ attention, rows, total }) => ({ ...nothing, attention, rows, total }));
    readBoth(api, source, { filters, signal }).then(
      ([attention, listed]) => {
        if (signal.aborted) return;
        shown.current = asked;
        const isNewestFirst = filters.sort.startsWith('-');
        setListing((before) => ({
          attention: isAnew ? [...attention.rows] : merge(before.attention, attention.rows, false),
          rows: isAnew ? listed.rows : merge(before.rows, listed.rows, isNewestFirst),
          total: listed.total,
          ...{ isLoading: false, error: undefined },
        }));
      },
      (error: unknown) => {
        if (signal.aborted) return;
        setListing((before) => ({ ...before, isLoading: false, error: toRequestError(error) }));
      },
    );
    return () => controller.abort();
  }, [api, asked, happened, round]);
  const more = (offset: number): void => {
    if (isAskingMore.current) return;
    isAskingMore.current = true;
    const wanted = source === 'queue' ? { ...filters, status: 'pending' } : filters;
    readListed(api, wanted, { offset, signal: new AbortController().signal })
      .then(({ rows, total }) => {
        if (shown.current !== asked) return;
        setListing((before) => ({ ...before, rows: merge(before.rows, rows, false), total }));
      })
      .catch((error: unknown) =>
        setListing((before) => ({ ...before, error: toRequestError(error) })),
      )
      .finally(() => {
        isAskingMore.current = false;
      });
  };
  return { ...listing, more, retry: () => setRound((before) => before + 1) };
};
