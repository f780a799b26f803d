import { useEffect, useRef } from 'preact/hooks';
import type { Outcome } from '../../decisions/outcome.ts';
import type { Filters, Source } from './filters.ts';
import type { Row } from './rows.ts';
import { findStatus } from './use-decision-keys.ts';
import type { Groups } from './use-groups.ts';
import type { Listing } from './use-listing.ts';

/** The next page of the queue loads when fewer versions than this are pending. */
const fewLeft = 20;

/** A list, and what is shown of it. */
export interface PagingProps {
  readonly listing: Listing;
  /** The rows on the screen. */
  readonly rows: readonly Row[];
  readonly groups: Groups | undefined;
  readonly source: Source;
  readonly filters: Filters;
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

/** True if older updates that the user wants to see are not loaded yet. */
const lacksOlder = ({ rows, groups }: Pick<PagingProps, 'rows' | 'groups'>): boolean => {
  const wanted = rows.filter(({ key }) => groups?.opened.has(key)).flatMap(({ older }) => older);
  return (
    groups?.areUpdates === true && wanted.length > rows.filter(({ newer }) => newer !== null).length
  );
};

/** Most pages that load by themselves, one after the other, while few versions match. */
const mostAutomatic = 10;

/** Returns whether a list has more rows, and a function that loads them. A list loads more before it runs empty. */
export const usePaging = ({ listing, source, filters, outcomes, ...shown }: PagingProps) => {
  const { rows, total, next, reads, more, lookedAt } = listing;
  const isDropping = source === 'queue' || filters.status !== '';
  const countLeft = (some: readonly Row[]): number =>
    isDropping
      ? some.filter((row) => findStatus(row, outcomes) === row.status).length
      : some.length;
  const left = countLeft(rows);
  // The total of the last answer still counts versions that were decided since.
  const gone = rows.length - left;
  const read = useRef({ reads, gone });
  if (read.current.reads !== reads) read.current = { reads, gone };
  const rest = (total ?? 0) - (gone - read.current.gone);
  const hasMore = next !== null || (rows.length > 0 && left < rest);
  const isFew = countLeft(shown.rows) < fewLeft || lacksOlder(shown);
  const automatic = useRef(0);
  if (!isFew || listing.isLoading) automatic.current = 0;
  const isNearEnd = hasMore && (source === 'queue' || lookedAt !== undefined) && isFew;
  useEffect(() => {
    if (!isNearEnd || automatic.current >= mostAutomatic) return;
    automatic.current += 1;
    more(left);
    // Each answer of a filtered list may bring no rows.
  }, [isNearEnd, left, reads]);
  const showMore = (): void => {
    automatic.current = 0;
    more(left);
  };
  return { hasMore, showMore };
};
