import { formatAddress } from '../../address/address.ts';
import { EmptyState } from '../../parts/placeholders.tsx';
import { Line } from '../../parts/text.tsx';
import { type Filters, isFiltered, type Source } from './filters.ts';

const describeNone = (isComplete: boolean): string =>
  isComplete ? 'No version matches the filters.' : 'No version matches so far.';

/** The text of an empty list: what the list would show, and how to fill it. */
export const EmptyList = ({
  source,
  filters,
  complete,
}: {
  readonly source: Source;
  readonly filters: Filters;
  /** False if the registry has not looked at the whole list yet. */
  readonly complete: boolean;
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
          describeNone(complete)
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
  if (source === 'submissions') {
    return (
      <EmptyState title="No submissions">
        This list shows the versions that you submitted. A token needs a label for it. To submit
        one: <code>registry submit npm:left-pad@1.3.0</code>
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
