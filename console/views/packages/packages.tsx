import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks';
import { formatAddress, goTo, toKey } from '../../address/address.ts';
import { useOutcomes } from '../../decisions/outcomes.ts';
import { Evidence } from '../../evidence/evidence.tsx';
import { useKeys } from '../../parts/keys.ts';
import { Failure, Skeleton } from '../../parts/states.tsx';
import { useMedia } from '../../parts/use-media.ts';
import { useSession } from '../../session/session.ts';
import type { ViewProps } from '../view-props.ts';
import { FilterBar } from './filters.tsx';
import { ManyBar } from './many-bar.tsx';
import { NothingHere } from './nothing-here.tsx';
import { PackageTable } from './package-table.tsx';
import type { Filters } from './rows.ts';
import { useCursor } from './use-cursor.ts';
import { findStatus, useDeciding } from './use-deciding.ts';
import { type Source, useListing } from './use-listing.ts';
import { useSelection } from './use-selection.ts';

const toSource = (view: string): Source =>
  view === 'attention' || view === 'packages' ? view : 'queue';

/** So few are left to decide that the next page is asked for. */
const fewLeft = 20;

const titles = { queue: 'Queue', attention: 'Attention', packages: 'Packages' } as const;

const stay = (): void => {};

/** A list of versions, and beside it all that is known of one. */
const Packages = ({ address: { view, id, query } }: ViewProps) => {
  const source = toSource(view);
  const filters: Filters = useMemo(
    () => ({
      search: query['search'] ?? '',
      ecosystem: query['ecosystem'] ?? '',
      status: query['status'] ?? '',
      sort: query['sort'] ?? '',
    }),
    [query['search'], query['ecosystem'], query['status'], query['sort']],
  );
  const session = useSession();
  const listing = useListing(session.api, source, filters);
  const outcomes = useOutcomes();
  const isWide = useMedia('(min-width: 45rem)');
  const searchField = useRef<HTMLInputElement>(null);
  const rows = useMemo(
    () => [...listing.attention, ...listing.rows],
    [listing.attention, listing.rows],
  );
  const selection = useSelection(rows);
  const { current, move, moveOn, follow, goNext } = useCursor({
    rows,
    outcomes,
    id,
    isWide,
    view,
    filters,
  });
  const opened = id ?? (isWide ? current : undefined);
  const openedKey = opened && toKey(opened);

  const left = listing.rows.filter((row) => findStatus(row, outcomes) === row.status);
  const { total, more } = listing;
  const hasMore = total !== undefined && left.length < total && listing.rows.length > 0;
  const offset = source === 'queue' ? left.length : listing.rows.length;
  useEffect(() => {
    if (hasMore && source === 'queue' && left.length < fewLeft) more(offset);
  }, [hasMore, source, left.length, offset, more]);

  // Who looks something up stays with it.
  const goOn = source === 'packages' ? stay : moveOn;
  const { asking, ask, decide } = useDeciding({
    ...{ session, outcomes, current, openedKey, moveOn: goOn },
    isManySelected: selection.rows.length > 0,
    open: (row) => goTo({ view, id: row, query: { ...filters } }, { replace: isWide }),
  });
  const closeOpened = useCallback(() => {
    if (selection.rows.length > 0) selection.clear();
    else if (id && !isWide) goTo({ view, query: { ...filters } });
  }, [selection, id, isWide, view, filters]);
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    a: () => decide('approve'),
    r: () => decide('reject'),
    x: () => current && selection.toggle(current.key),
    X: selection.toggleAll,
    '/': () => searchField.current?.focus(),
    Escape: closeOpened,
  });
  const change = (changed: Partial<Filters>): void => {
    selection.clear();
    goTo({ view, query: { ...filters, ...changed } }, { replace: true });
  };
  const isEmpty = !listing.isLoading && !listing.error && rows.length === 0;
  return (
    <div class={`workplace ${id ? 'opened' : ''}`}>
      <section class="list" aria-label={titles[source]}>
        <FilterBar source={source} filters={filters} change={change} searchField={searchField} />
        <div class="list-body" aria-busy={listing.isLoading}>
          {listing.error && <Failure error={listing.error} retry={listing.retry} />}
          {listing.isLoading && rows.length === 0 && (
            <Skeleton lines={12} label="Loading the list" />
          )}
          {isEmpty && <NothingHere source={source} filters={filters} />}
          {rows.length > 0 && (
            <PackageTable
              source={source}
              filters={filters}
              attention={listing.attention}
              rows={listing.rows}
              outcomes={outcomes}
              current={openedKey ?? current?.key}
              selected={selection.keys}
              follow={follow}
              select={selection.toggle}
              selectAll={selection.toggleAll}
            />
          )}
          {hasMore && (
            <p class="more">
              <button type="button" onClick={() => more(offset)}>
                Show more
              </button>{' '}
              <span class="aside">
                {listing.rows.length} of {total.toLocaleString('en')}
              </span>
            </p>
          )}
        </div>
        {selection.rows.length > 0 && (
          <ManyBar
            selected={selection.rows.map((row) => ({ ...row, status: findStatus(row, outcomes) }))}
            asking={asking}
            ask={ask}
            clear={selection.clear}
          />
        )}
      </section>
      <section class="detail" aria-label="Package">
        {opened && (
          <Evidence
            key={openedKey}
            id={opened}
            asking={selection.rows.length > 0 ? null : asking}
            ask={ask}
            decided={goOn}
            next={goNext}
            back={{
              href: formatAddress({ view, query: { ...filters } }),
              title: titles[source],
            }}
            isAlone={!isWide}
          />
        )}
      </section>
    </div>
  );
};

export default Packages;
