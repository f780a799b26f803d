import type { Action } from '../../decisions/actions.ts';
import { PermissionNotice } from '../../decisions/permission.tsx';
import { hasScope, useSession } from '../../session/session.ts';
import { BulkForm } from './bulk-form.tsx';
import type { Row } from './rows.ts';

interface BulkBarProps {
  readonly selected: readonly Row[];
  readonly asking: Action | null;
  readonly ask: (action: Action | null) => void;
  readonly clear: () => void;
}

/** The buttons and the form for a decision on the selected versions. */
export const BulkBar = ({ selected, asking, ask, clear }: BulkBarProps) => {
  const session = useSession();
  const canReview = hasScope(session, 'review');
  return (
    <div class="bulk-bar">
      {asking && canReview ? (
        <BulkForm key={asking} action={asking} selected={selected} ask={ask} />
      ) : (
        <p class="actions">
          <strong>{selected.length} selected</strong>
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
          <button type="button" class="plain end" onClick={clear}>
            Clear <kbd>Esc</kbd>
          </button>
        </p>
      )}
      {!canReview && <PermissionNotice session={session} />}
    </div>
  );
};
