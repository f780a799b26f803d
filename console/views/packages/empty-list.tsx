import { EmptyState } from '../../parts/placeholders.tsx';
import { Line } from '../../parts/text.tsx';
import type { Filters } from './rows.ts';
import type { Source } from './use-listing.ts';

const isFiltered = ({ search, ecosystem, status }: Filters): boolean =>
  [search.trim(), ecosystem, status].some((value) => value !== '');

/** What would stand in a list that is empty, and how it gets there. */
export const EmptyList = ({
  source,
  filters,
}: {
  readonly source: Source;
  readonly filters: Filters;
}) => {
  if (isFiltered(filters)) {
    const { search } = filters;
    return (
      <EmptyState title="Nothing matches">
        {search.trim() === '' ? (
          'There is no such version.'
        ) : (
          <>
            Nothing is found by “<Line text={search} />
            ”, neither in names nor in descriptions.
          </>
        )}{' '}
        <a href={`#/${source}`}>Show all</a>
      </EmptyState>
    );
  }
  if (source === 'queue') {
    return (
      <EmptyState title="Nothing waits for a decision">
        What people and builds submit stands here until somebody decides:{' '}
        <code>registry submit npm:left-pad@1.3.0</code>
      </EmptyState>
    );
  }
  if (source === 'attention') {
    return (
      <EmptyState title="Nothing needs attention">
        Approved versions stand here whose scans fail, or that their publishers take back or advise
        against.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="The registry is empty">
      Every version that is submitted stands here: <code>registry submit npm:left-pad@1.3.0</code>
    </EmptyState>
  );
};
