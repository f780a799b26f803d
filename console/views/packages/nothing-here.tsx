import { Empty } from '../../parts/states.tsx';
import { Line } from '../../parts/text.tsx';
import type { Filters } from './rows.ts';
import type { Source } from './use-listing.ts';

const isFiltered = ({ search, ecosystem, status }: Filters): boolean =>
  [search.trim(), ecosystem, status].some((value) => value !== '');

/** What would stand in a list that is empty, and how it gets there. */
export const NothingHere = ({
  source,
  filters,
}: {
  readonly source: Source;
  readonly filters: Filters;
}) => {
  if (isFiltered(filters)) {
    const { search } = filters;
    return (
      <Empty title="Nothing matches">
        {search.trim() === '' ? (
          'There is no such version.'
        ) : (
          <>
            Nothing is found by “<Line text={search} />
            ”, neither in names nor in descriptions.
          </>
        )}{' '}
        <a href={`#/${source}`}>Show all</a>
      </Empty>
    );
  }
  if (source === 'queue') {
    return (
      <Empty title="Nothing waits for a decision">
        What people and builds submit stands here until somebody decides:{' '}
        <code>registry submit npm:left-pad@1.3.0</code>
      </Empty>
    );
  }
  if (source === 'attention') {
    return (
      <Empty title="Nothing needs attention">
        Approved versions stand here whose scans fail, or that their publishers take back or advise
        against.
      </Empty>
    );
  }
  return (
    <Empty title="The registry is empty">
      Every version that is submitted stands here: <code>registry submit npm:left-pad@1.3.0</code>
    </Empty>
  );
};
