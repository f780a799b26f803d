import { formatAddress } from '../../address/address.ts';
import { EmptyState } from '../../parts/placeholders.tsx';
import { Line } from '../../parts/text.tsx';
import { type Filters, isFiltered } from './filters.ts';
import type { Source } from './use-listing.ts';

/** The text of an empty list: what the list would show, and how to fill it. */
export const EmptyList = ({
  source,
  filters,
}: {
  readonly source: Source;
  readonly filters: Filters;
}) => {
  if (isFiltered(filters)) {
    const { search, batch } = filters;
    if (batch !== '' && source === 'queue' && search.trim() === '') {
      return (
        <EmptyState title="Nothing to decide">
          No version of the batch “<Line text={batch} />” that matches is pending.{' '}
          <a href={formatAddress({ view: 'packages', query: { batch } })}>
            Show all versions of the batch
          </a>
        </EmptyState>
      );
    }
    return (
      <EmptyState title="No results">
        {search.trim() === '' ? (
          'No version matches the filters.'
        ) : (
          <>
            No name and no description matches “<Line text={search} />
            ”.
          </>
        )}{' '}
        <a href={`#/${source}`}>Show all</a>
      </EmptyState>
    );
  }
  if (source === 'queue') {
    return (
      <EmptyState title="The queue is empty">
        The queue lists submitted versions until somebody decides. To submit one:{' '}
        <code>registry submit npm:left-pad@1.3.0</code>
      </EmptyState>
    );
  }
  if (source === 'attention') {
    return (
      <EmptyState title="Nothing needs attention">
        This list shows approved versions with vulnerabilities that the policy does not allow, with
        changed content, and versions that were yanked or deprecated.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="The registry is empty">
      This list shows all submitted versions. To submit one:{' '}
      <code>registry submit npm:left-pad@1.3.0</code>
    </EmptyState>
  );
};
