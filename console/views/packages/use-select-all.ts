import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toRequestError } from '../../api/to-request-error.ts';
import { addToBasket, maxSelected, readBasket } from '../../decisions/basket.ts';
import { announce } from '../../state/announcements.ts';
import type { Row } from './rows.ts';
import type { Listing } from './use-listing.ts';

/** Reads a list to its end, and adds the wanted versions to the basket until it is full. */
const selectPages = async (
  { readPage }: Pick<Listing, 'readPage'>,
  isWanted: (row: Row) => boolean,
  signal: AbortSignal,
): Promise<void> => {
  let offset = 0;
  let after: string | null = null;
  while (readBasket().size < maxSelected) {
    const { rows, total, next } = await readPage({ offset, after, signal });
    signal.throwIfAborted();
    addToBasket(rows.filter(isWanted));
    offset += rows.length;
    after = next;
    const hasMore = total === undefined ? next !== null : rows.length > 0 && offset < total;
    if (!hasMore) return;
  }
};

/** The selection of all versions that match, over all pages of the list. */
export interface SelectAll {
  readonly isRunning: boolean;
  readonly start: () => void;
  readonly stop: () => void;
}

/** Returns functions that select all versions of a list, and that stop it. Another list stops it, and so does a form. */
export const useSelectAll = (
  listing: Pick<Listing, 'readPage' | 'id'>,
  isWanted: (row: Row) => boolean,
  isAsking: boolean,
): SelectAll => {
  const [isRunning, setRunning] = useState(false);
  const controller = useRef<AbortController>(undefined);
  const stop = (): void => controller.current?.abort();
  useEffect(() => stop, [listing.id]);
  // A form is about the versions that it shows when it opens.
  useLayoutEffect(() => {
    if (isAsking) stop();
  }, [isAsking]);
  const run = async (): Promise<void> => {
    const own = new AbortController();
    controller.current = own;
    setRunning(true);
    try {
      await selectPages(listing, isWanted, own.signal);
      const { size } = readBasket();
      const most = size >= maxSelected ? ', the most at once' : '';
      announce(`${size.toLocaleString('en')} selected${most}`);
    } catch (error) {
      if (!own.signal.aborted) announce(toRequestError(error).detail);
    } finally {
      // A later selection has its own state.
      if (controller.current === own) setRunning(false);
    }
  };
  const start = (): void => {
    if (!isRunning) run();
  };
  return { isRunning, start, stop };
};
