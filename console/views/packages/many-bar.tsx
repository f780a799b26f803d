import { useRef } from 'preact/hooks';
import { groupBy } from '../../../shared/domain/group-by.ts';
import { decideMany } from '../../decisions/decide.ts';
import { DecisionForm } from '../../decisions/decision-form.tsx';
import type { Action } from '../../decisions/outcomes.ts';
import { findReasonNeeded } from '../../decisions/reason-needed.ts';
import { NoRight } from '../../decisions/rights.tsx';
import { listBlocking } from '../../decisions/shown-evidence.ts';
import { may, useSession } from '../../session/session.ts';
import type { Row } from './rows.ts';

interface ManyBarProps {
  readonly selected: readonly Row[];
  readonly asking: Action | null;
  readonly ask: (action: Action | null) => void;
  readonly clear: () => void;
}

/** Returns rows as the form first showed them: what becomes known later is not decided on unseen. */
const useFirstShown = (rows: readonly Row[]): readonly Row[] => {
  const shown = useRef(new Map<string, Row>());
  return rows.map((row) => {
    const first = shown.current.get(row.key) ?? row;
    shown.current.set(row.key, first);
    return first;
  });
};

/** Returns how many of the rows have each blocking issue: `license rejected: 12`. */
const countBlocking = (rows: readonly Row[]): string[] => {
  const byCode = groupBy(rows.flatMap(listBlocking), (code) => code);
  return [...byCode].map(([code, some]) => `${code.replaceAll('_', ' ')}: ${some.length}`);
};

interface ManyFormProps extends Pick<ManyBarProps, 'selected' | 'ask' | 'clear'> {
  readonly action: Action;
}

const doneWords = { approve: 'approved', reject: 'rejected' } as const;

/** Asks for what goes with one decision on many versions. */
const ManyForm = ({ selected, action, ask, clear }: ManyFormProps) => {
  const { api } = useSession();
  const done = doneWords[action];
  // What stands there already is left as it is.
  const concerned = useFirstShown(selected.filter(({ status }) => status !== done));
  const left = selected.length - concerned.length;
  const [reasonNeeded] = concerned.flatMap((row) => findReasonNeeded(action, row) ?? []);
  return (
    <DecisionForm
      action={action}
      what={`${concerned.length} ${concerned.length === 1 ? 'version' : 'versions'}`}
      needsReason={reasonNeeded}
      overrides={action === 'approve' ? countBlocking(concerned) : []}
      send={(terms) => {
        ask(null);
        clear();
        decideMany(api, action, concerned, terms);
      }}
      cancel={() => ask(null)}
      note={
        left > 0
          ? `${left} of ${selected.length} ${left === 1 ? 'is' : 'are'} ${done} already`
          : undefined
      }
    />
  );
};

/** Decides on what is selected, with one reason. */
export const ManyBar = ({ selected, asking, ask, clear }: ManyBarProps) => {
  const session = useSession();
  return (
    <div class="many-bar">
      {asking && may(session, 'review') ? (
        <ManyForm key={asking} action={asking} selected={selected} ask={ask} clear={clear} />
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
