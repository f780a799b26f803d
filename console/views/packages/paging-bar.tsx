import { usePendingTotal } from '../../state/pending-total.ts';
import { isFiltered, isReviewList } from './filters.ts';
import { type PagingProps, usePaging } from './use-paging.ts';

const format = (count: number): string => count.toLocaleString('en');

/** Describes how far the registry looked: `38 match. Looked at 2,500 of 100,012 pending.` */
const describeProgress = (shown: number, lookedAt: number, of: number | undefined): string => {
  const match = `${format(shown)} ${shown === 1 ? 'matches' : 'match'}.`;
  // A list by rank looks at some versions twice.
  const total = of !== undefined && of >= lookedAt ? ` of ${format(of)} pending` : '';
  return `${match} Looked at ${format(lookedAt)}${total}.`;
};

/** The foot of a list: how many rows it shows, how far the registry looked, and a button that goes on. */
export const PagingBar = (props: PagingProps) => {
  const { source, filters, listing, groups } = props;
  const { hasMore, showMore } = usePaging(props);
  const pending = usePendingTotal();
  const { total, lookedAt } = listing;
  const older = groups?.areUpdates ? (listing.olderUpdates ?? 0) : 0;
  // All rows count, also those of closed groups by package.
  const counted = groups?.areUpdates
    ? props.rows.filter((row) => !groups.isMember(row))
    : listing.rows;
  const shown = counted.length;
  if (!hasMore) return null;
  const isWhole = source === 'queue' && filters.batch === '' && isReviewList(source, filters);
  const isLookedThrough = lookedAt !== undefined && isFiltered(filters);
  return (
    <p class="more" role="status">
      <button type="button" onClick={showMore}>
        {isLookedThrough ? 'Look further' : 'Show more'}
      </button>{' '}
      <span class="muted">
        {isLookedThrough && describeProgress(shown, lookedAt, isWhole ? pending : undefined)}
        {!isLookedThrough && format(shown)}
        {!isLookedThrough && (total === undefined ? ' shown' : ` of ${format(total - older)}`)}
      </span>
    </p>
  );
};
