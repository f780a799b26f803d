import type { Action } from '../../decisions/actions.ts';
import type { BasketVersion } from '../../decisions/basket.ts';
import { PermissionNotice } from '../../decisions/permission.tsx';
import { makeLazy } from '../../parts/lazy.tsx';
import { hasScope, useSession } from '../../session/session.ts';
import type { SelectAll } from './use-select-all.ts';

const BulkForm = makeLazy('BulkForm', { takesKeys: true });

interface BulkBarProps {
  readonly selected: readonly BasketVersion[];
  /** The number of selected versions in this list. */
  readonly listed: number;
  /** Selects all versions that match; undefined if the list has no further pages. */
  readonly selectAll: SelectAll | undefined;
  /** Opens the form that approves all versions without issues; undefined where it is not offered. */
  readonly approveAll: (() => void) | undefined;
  readonly asking: Action | null;
  readonly ask: (action: Action | null) => void;
  readonly clear: () => void;
}

const format = (count: number): string => count.toLocaleString('en');

/** Describes the selection: `120 selected, 20 of them in this list`. */
const describeSelected = (count: number, listed: number): string => {
  if (count === listed) return `${format(count)} selected`;
  const some = listed === 0 ? 'none' : format(listed);
  return `${format(count)} selected, ${some} of them in this list`;
};

/** The buttons and the form for a decision on the selected versions. */
export const BulkBar = (props: BulkBarProps) => {
  const { selected, listed, selectAll, approveAll, asking, ask, clear } = props;
  const session = useSession();
  const canReview = hasScope(session, 'review');
  return (
    <div class="bulk-bar">
      {asking && canReview ? (
        <BulkForm key={asking} action={asking} selected={selected} ask={ask} />
      ) : (
        <p class="actions">
          <strong>{describeSelected(selected.length, listed)}</strong>
          <button
            type="button"
            class="primary"
            disabled={!canReview}
            onClick={() => ask('approve')}
          >
            Approve <kbd class="single">a</kbd>
          </button>
          <button type="button" disabled={!canReview} onClick={() => ask('reject')}>
            Reject <kbd class="single">r</kbd>
          </button>
          {selectAll && (
            <button type="button" onClick={selectAll.isRunning ? selectAll.stop : selectAll.start}>
              {selectAll.isRunning ? 'Stop selecting' : 'Select all that match'}
            </button>
          )}
          {approveAll && (
            <button type="button" disabled={!canReview} onClick={approveAll}>
              Approve all without issues <kbd class="single">A</kbd>
            </button>
          )}
          <button type="button" class="plain end" onClick={clear}>
            Clear <kbd>Esc</kbd>
          </button>
        </p>
      )}
      {!canReview && <PermissionNotice session={session} />}
    </div>
  );
};
