import type { Ref } from 'preact';
import type { Action } from '../../decisions/actions.ts';
import type { BasketVersion } from '../../decisions/basket.ts';
import type { Outcome } from '../../decisions/outcome.ts';
import { makeLazy } from '../../parts/lazy.tsx';
import { ErrorMessage, Skeleton } from '../../parts/placeholders.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { FilterBar } from './filter-bar.tsx';
import type { Filters, Source } from './filters.ts';
import { PackageTable } from './package-table.tsx';
import { PagingBar } from './paging-bar.tsx';
import type { Row } from './rows.ts';
import type { ApproveAll } from './use-approve-all-form.ts';
import { findStatus } from './use-decision-keys.ts';
import type { Groups } from './use-groups.ts';
import type { Listing } from './use-listing.ts';
import { useSelectAll } from './use-select-all.ts';
import type { Selection } from './use-selection.ts';

const BatchSummary = makeLazy('BatchSummary');
const ApproveAllForm = makeLazy('ApproveAllForm', { takesKeys: true });
const EmptyList = makeLazy('EmptyList');

interface ListPaneProps {
  readonly title: string;
  readonly source: Source;
  readonly filters: Filters;
  readonly change: (filters: Partial<Filters>) => void;
  readonly searchField: Ref<HTMLInputElement>;
  readonly listing: Listing;
  /** The rows to show, without older updates in the queue. */
  readonly rows: readonly Row[];
  readonly groups: Groups | undefined;
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly selection: Selection;
  /** The key of the current row. */
  readonly current: string | undefined;
  readonly follow: (key: string) => void;
  readonly asking: Action | null;
  readonly ask: (action: Action | null) => void;
  readonly approveAll: ApproveAll;
}

/** Returns what selects all versions that match; undefined unless all loaded rows are selected, and the list has more. */
const useSelectMatching = ({ listing, groups, outcomes, selection, asking }: ListPaneProps) => {
  const { next, total, rows } = listing;
  const isPendingOnly = selection.taken.some((row) => findStatus(row, outcomes) === 'pending');
  const selectAll = useSelectAll(
    listing,
    // The versions that the key X selects on a page.
    (row) =>
      (!groups?.areUpdates || row.newer === null) &&
      (!isPendingOnly || findStatus(row, outcomes) === 'pending'),
    asking !== null,
  );
  const hasMore = next !== null || rows.length < (total ?? 0);
  return selectAll.isRunning || (selection.isAll && hasMore) ? selectAll : undefined;
};

/** A list with its filters, and the buttons for the selected versions. */
export const ListPane = (props: ListPaneProps) => {
  const { source, filters, listing, rows, groups, outcomes, selection, approveAll } = props;
  const { attention, isLoading, error } = listing;
  const isEmpty = attention.length + rows.length === 0;
  const selectAll = useSelectMatching(props);
  const withStatus = (one: BasketVersion): BasketVersion => ({
    ...one,
    status: findStatus(one, outcomes),
  });
  return (
    <section class="list" aria-label={props.title}>
      <FilterBar
        source={source}
        filters={filters}
        change={props.change}
        searchField={props.searchField}
      />
      {filters.batch !== '' && <BatchSummary batch={filters.batch} />}
      <div class="list-body" aria-busy={isLoading}>
        {error && <ErrorMessage error={error} retry={listing.retry} />}
        {isEmpty && isLoading && <Skeleton lines={12} label="Loading the list" />}
        {isEmpty && !isLoading && !error && (
          <EmptyList source={source} filters={filters} complete={listing.next === null} />
        )}
        {!isEmpty && (
          <PackageTable
            source={source}
            filters={filters}
            attention={attention}
            hasMoreAttention={listing.hasMoreAttention}
            rows={rows}
            groups={groups}
            outcomes={outcomes}
            current={props.current}
            selection={selection}
            follow={props.follow}
          />
        )}
        <PagingBar {...{ listing, rows, groups, source, filters, outcomes }} />
      </div>
      {approveAll.isOpen && (
        <div class="bulk-bar">
          <ApproveAllForm filters={filters} close={approveAll.close} />
        </div>
      )}
      {!approveAll.isOpen && selection.versions.length > 0 && (
        <BulkBar
          selected={selection.versions.map(withStatus)}
          listed={selection.listed}
          selectAll={selectAll}
          approveAll={source === 'queue' && selection.isAll ? approveAll.open : undefined}
          asking={props.asking}
          ask={props.ask}
          clear={selection.clear}
        />
      )}
    </section>
  );
};
