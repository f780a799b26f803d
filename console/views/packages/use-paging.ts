import { useEffect, useRef } from 'preact/hooks';
import type { Outcome } from '../../decisions/outcomes.ts';
import type { Filters } from './rows.ts';
import { findStatus } from './use-decision-keys.ts';
import type { Listing, Source } from './use-listing.ts';

/** The next page of the queue loads when fewer versions than this are pending. */
const fewLeft = 20;

interface PagingProps {
  readonly listing: Listing;
  readonly source: Source;
  readonly filters: Filters;
  readonly outcomes: ReadonlyMap<string, Outcome>;
}

/** Returns whether a list has more rows, and a function that loads them. The queue loads more before it runs empty. */
export const usePaging = ({ listing, source, filters, outcomes }: PagingProps) => {
  const { rows, total, next, reads, more } = listing;
  const isDropping = source === 'queue' || filters.status !== '';
  const left = isDropping
    ? rows.filter((row) => findStatus(row, outcomes) === row.status).length
    : rows.length;
  // The total of the last answer still counts versions that were decided since.
  const gone = rows.length - left;
  const read = useRef({ reads, gone });
  if (read.current.reads !== reads) read.current = { reads, gone };
  const rest = (total ?? 0) - (gone - read.current.gone);
  const hasMore = next !== null || (rows.length > 0 && left < rest);
  const isNearEnd = hasMore && source === 'queue' && left < fewLeft;
  useEffect(() => {
    if (isNearEnd) more(left);
  }, [isNearEnd, left]);
  return { hasMore, showMore: () => more(left) };
};
