import type { Action } from '../../decisions/actions.ts';
import { NoRight } from '../../decisions/rights.tsx';
import { may, useSession } from '../../session/session.ts';
import { ManyForm } from './many-form.tsx';
import type { Row } from './rows.ts';

interface ManyBarProps {
  readonly selected: readonly Row[];
  readonly asking: Action | null;
  readonly ask: (action: Action | null) => void;
  readonly clear: () => void;
}

/** Decides on what is selected, with one reason. */
export const ManyBar = ({ selected, asking, ask, clear }: ManyBarProps) => {
  const session = useSession();
  const mayReview = may(session, 'review');
  return (
    <div class="many-bar">
      {asking && mayReview ? (
        <ManyForm key={asking} action={asking} selected={selected} ask={ask} />
      ) : (
        <p class="actions">
          <strong>{selected.length} selected</strong>
          <button
            type="button"
            class="primary"
            disabled={!mayReview}
            onClick={() => ask('approve')}
          >
            Approve <kbd class="single">a</kbd>
          </button>
          <button type="button" disabled={!mayReview} onClick={() => ask('reject')}>
            Reject <kbd class="single">r</kbd>
          </button>
          <button type="button" class="plain end" onClick={clear}>
            Clear <kbd>Esc</kbd>
          </button>
        </p>
      )}
      {!mayReview && <NoRight session={session} />}
    </div>
  );
};
