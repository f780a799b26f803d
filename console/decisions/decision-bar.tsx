import type { Status } from '../../shared/domain/status.ts';
import type { VersionId } from '../address/address.ts';
import { Failure } from '../parts/states.tsx';
import { useSession } from '../session/session.ts';
import { type DecisionTerms, decideOne } from './decide.ts';
import { DecisionForm } from './decision-form.tsx';
import { type Action, type Outcome, useOutcome } from './outcomes.ts';
import { mayDecide, NoRight } from './rights.tsx';

interface DecisionBarProps {
  readonly id: VersionId;
  readonly status: Status;
  /** Whether something stands in the way of an approval. */
  readonly isBlocked: boolean;
  /** Which decision is being asked for. */
  readonly asking: Action | null;
  readonly ask: (action: Action | null) => void;
  /** Goes on to the next version, where there is a list. */
  readonly next?: (() => void) | undefined;
  /** Called once it is decided. */
  readonly decided: () => void;
}

/** Why the registry will ask for a reason; undefined where it will not. */
export const findReasonNeeded = (
  action: Action,
  { status, isBlocked }: { readonly status: Status; readonly isBlocked: boolean },
): string | undefined => {
  if (action === 'approve' && isBlocked) return 'Why approve it all the same?';
  return status === 'pending' ? undefined : 'Why reverse the decision?';
};

const wasBlocked = (outcome: Outcome | undefined): boolean =>
  outcome?.refused?.error.code === 'approval_blocked';

/** Decides on one version: at once where the registry asks for nothing, else by a form. */
export const DecisionBar = ({ id, status: known, ...props }: DecisionBarProps) => {
  const { asking, ask, next, decided } = props;
  const session = useSession();
  const outcome = useOutcome(id);
  const status = outcome?.status ?? known;
  const isBlocked = props.isBlocked || wasBlocked(outcome);
  const send = async (action: Action, terms?: DecisionTerms): Promise<void> => {
    ask(null);
    if (await decideOne(session.api, action, { ...id, status }, terms)) decided();
  };
  const choose = (action: Action): void => {
    const isAsked = action === 'reject' || findReasonNeeded(action, { status, isBlocked });
    if (isAsked) ask(action);
    else send(action);
  };
  const isSending = outcome?.sending !== undefined;
  const isAsked =
    asking !== null &&
    mayDecide(session, asking, status) &&
    status !== (asking === 'approve' ? 'approved' : 'rejected');
  return (
    <div class="decision-bar">
      {outcome?.refused && !isAsked && <Failure error={outcome.refused.error} />}
      {isAsked ? (
        <DecisionForm
          key={asking}
          action={asking}
          what={`${id.name} ${id.version}`}
          needsReason={findReasonNeeded(asking, { status, isBlocked })}
          overrides={asking === 'approve' && isBlocked}
          send={(terms) => send(asking, terms)}
          cancel={() => ask(null)}
        />
      ) : (
        <p class="actions">
          {status !== 'approved' && (
            <button
              type="button"
              class="primary"
              disabled={isSending || !mayDecide(session, 'approve', status)}
              onClick={() => choose('approve')}
            >
              {outcome?.sending === 'approve' ? 'Approving …' : 'Approve'} <kbd>a</kbd>
            </button>
          )}
          {status !== 'rejected' && (
            <button
              type="button"
              disabled={isSending || !mayDecide(session, 'reject', status)}
              onClick={() => choose('reject')}
            >
              {outcome?.sending === 'reject' ? 'Rejecting …' : 'Reject'} <kbd>r</kbd>
            </button>
          )}
          {next && (
            <button type="button" class="end" onClick={next}>
              Next <kbd>j</kbd>
            </button>
          )}
        </p>
      )}
      {!mayDecide(session, 'approve', status) && <NoRight session={session} />}
    </div>
  );
};
