import { decideMany } from '../../decisions/decide.ts';
import { findReasonNeeded } from '../../decisions/decision-bar.tsx';
import { DecisionForm } from '../../decisions/decision-form.tsx';
import type { Action } from '../../decisions/outcomes.ts';
import { NoRight } from '../../decisions/rights.tsx';
import { may, useSession } from '../../session/session.ts';
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
  const done = asking === 'approve' ? 'approved' : 'rejected';
  // What stands there already is left as it is.
  const concerned = selected.filter(({ status }) => status !== done);
  const left = selected.length - concerned.length;
  const what = `${concerned.length} ${concerned.length === 1 ? 'version' : 'versions'}`;
  const isBlocked = concerned.some(({ objections }) => objections.some(({ blocks }) => blocks));
  const status = concerned.find((one) => one.status !== 'pending')?.status ?? 'pending';
  return (
    <div class="many-bar">
      {asking ? (
        <DecisionForm
          key={asking}
          action={asking}
          what={what}
          needsReason={findReasonNeeded(asking, { status, isBlocked })}
          overrides={asking === 'approve' && isBlocked}
          send={(terms) => {
            ask(null);
            clear();
            decideMany(session.api, asking, concerned, terms);
          }}
          cancel={() => ask(null)}
          note={
            left > 0
              ? `${left} of ${selected.length} ${left === 1 ? 'is' : 'are'} ${done} already`
              : undefined
          }
        />
      ) : (
        <p class="actions">
          <strong>{selected.length} selected</strong>
          <button
            type="button"
            class="primary"
            disabled={!may(session, 'review')}
            onClick={() => ask('approve')}
          >
            Approve <kbd>a</kbd>
          </button>
          <button type="button" disabled={!may(session, 'review')} onClick={() => ask('reject')}>
            Reject <kbd>r</kbd>
          </button>
          <button type="button" class="plain end" onClick={clear}>
            Clear <kbd>Esc</kbd>
          </button>
        </p>
      )}
      {!may(session, 'review') && <NoRight session={session} />}
    </div>
  );
};
