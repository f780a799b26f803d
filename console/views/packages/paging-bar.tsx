import { type PagingProps, usePaging } from './use-paging.ts';

/** The foot of a list: how many rows it shows, and a button that loads more. */
export const PagingBar = (props: PagingProps) => {
  const { hasMore, showMore } = usePaging(props);
  const { total } = props.listing;
  const older = props.folding ? (props.listing.olderUpdates ?? 0) : 0;
  const shown = props.rows.filter(({ newer }) => props.folding === undefined || newer === null);
  if (!hasMore) return null;
  return (
    <p class="more">
      <button type="button" onClick={showMore}>
        Show more
      </button>{' '}
      <span class="muted">
        {shown.length}
        {total === undefined ? ' shown' : ` of ${(total - older).toLocaleString('en')}`}
      </span>
    </p>
  );
};
