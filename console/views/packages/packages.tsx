import { useMemo, useRef } from 'preact/hooks';
import { formatAddress, goTo } from '../../address/address.ts';
import { toKey } from '../../address/version-id.ts';
import { useOutcomes } from '../../decisions/outcomes.ts';
import { Evidence } from '../../evidence/evidence.tsx';
import { useMediaQuery } from '../../parts/use-media-query.ts';
import { useSession } from '../../session/session.ts';
import type { ViewProps } from '../view-props.ts';
import type { Source } from './filters.ts';
import { ListPane } from './list-pane.tsx';
import { useApproveAllForm } from './use-approve-all-form.ts';
import { useCurrentRow } from './use-current-row.ts';
import { useDecisionKeys } from './use-decision-keys.ts';
import { useFilters } from './use-filters.ts';
import { useGroups } from './use-groups.ts';
import { useListKeys } from './use-list-keys.ts';
import { useListing } from './use-listing.ts';
import { useSelection } from './use-selection.ts';

const titles = {
  ...{ queue: 'Queue', attention: 'Attention', packages: 'Packages' },
  submissions: 'My submissions',
} as const;

const toSource = (view: string): Source =>
  view === 'attention' || view === 'packages' || view === 'submissions' ? view : 'queue';

const doNothing = (): void => {};

/** The view with a list of versions, and the evidence of one of them. */
export const Packages = ({ address }: ViewProps) => {
  const { view, id } = address;
  const source = toSource(view);
  const session = useSession();
  const outcomes = useOutcomes();
  const isWide = useMediaQuery('(min-width: 45rem)');
  const searchField = useRef<HTMLInputElement>(null);
  const { filters, change } = useFilters(address);
  const label = session.caller?.label ?? undefined;
  const listing = useListing(session.api, source, { filters, label });
  const { attention } = listing;
  const { rows: listed, groups } = useGroups(listing, { source, filters, outcomes });
  const rows = useMemo(() => [...attention, ...listed], [attention, listed]);
  const selection = useSelection(rows, outcomes);
  const isManySelected = selection.versions.length > 0;
  const list = { view, query: { ...filters } };
  const cursor = useCurrentRow({ rows, outcomes, id, isWide, list });
  const { current, isChosen, move } = cursor;
  const opened = id ?? (isWide ? current : undefined);
  const openedKey = opened && toKey(opened);
  // In lists of decided versions, too, a decision does not open the next version.
  const moveOn = source === 'queue' || source === 'attention' ? cursor.moveOn : doNothing;
  const { ofOpened, ofSelected, decide } = useDecisionKeys({
    ...{ session, outcomes, openedKey, isManySelected, moveOn },
    chosen: isChosen ? (current ?? id) : undefined,
    open: (wanted) => goTo({ ...list, id: wanted }, { replace: isWide }),
  });
  const approveAll = useApproveAllForm(source, filters);
  useListKeys({
    ...{ current, isChosen, move, selection, searchField, decide },
    approveAll: approveAll.open,
    openFilters: () => document.querySelector<HTMLElement>('.add-filter')?.focus(),
    leave: () => {
      if (isManySelected) selection.clear();
      else if (id && !isWide) goTo(list);
    },
  });
  return (
    <div class={`workplace ${id ? 'opened' : ''}`}>
      <ListPane
        {...{ source, filters, searchField, listing, groups, outcomes, selection }}
        {...ofSelected}
        approveAll={approveAll}
        rows={listed}
        title={titles[source]}
        change={change}
        current={openedKey ?? current?.key}
        follow={cursor.follow}
      />
      <section class="detail" aria-label="Package">
        {opened && (
          <Evidence
            key={openedKey}
            id={opened}
            {...ofOpened}
            decided={moveOn}
            next={cursor.goNext}
            back={{ href: formatAddress(list), title: titles[source] }}
            isAlone={!isWide}
          />
        )}
      </section>
    </div>
  );
};
