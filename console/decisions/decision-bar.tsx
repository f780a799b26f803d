import type { VersionId } from '../address/address.ts';
import { Failure } from '../parts/states.tsx';
import { useSession } from '../session/session.ts';
import { AskedForm } from './asked-form.tsx';
import { decideOne, isEvidenceRefusal } from './decide.ts';
import { type Action, useOutcome } from './outcomes.ts';
import { findReasonNeeded } from './reason-needed.ts';
import { mayDecide, NoRight } from './rights.tsx';
import type { OpenEvidence } from './shown-evidence.ts';

interface DecisionBarProps {
  readonly id: VersionId;
  /** What is on the screen of the version. */
  readonly evidence: OpenEvidence;
  /** Which decision is being asked for. */
  readonly asking: Action | null;
  readonly ask: (action: Action | null) => void;
  /** Goes on to the next version, where there is a list. */
  readonly next?: (() => void) | undefined;
  /** Called once it is decided. */
  readonly decided: () => void;
}

/** Decides on one version: at once where the registry asks for nothing, else by a form. */
export const DecisionBar = ({ id, evidence, ...props }: DecisionBarProps) => {
  const { asking, ask, next, decided } = props;
  const session = useSession();
  const outcome = useOutcome(id);
  const shown: OpenEvidence = { ...evidence, status: outcome?.status ?? evidence.status };
  const { status } = shown;
  const choose = async (action: Action, { detail }: MouseEvent): Promise<void> => {
    // The second click of a double click is about a version that nobody has seen yet.
    if (detail > 1) return;
    const isAsked =
      action === 'reject' ||
      isEvidenceRefusal(outcome?.refused?.error) ||
      findReasonNeeded(action, shown);
    if (isAsked) ask(action);
    else if (!(await decideOne(session.api, action, { ...id, ...shown }))) decided();
  };
  const isSending = outcome?.sending !== undefined;
  const isAsked =
    asking !== null &&
    mayDecide(session, asking, shown) &&
    status !== (asking === 'approve' ? 'approved' : 'rejected');
  return (
    <div class="decision-bar">
      {outcome?.refused && <Failure error={outcome.refused.error} />}
      {isAsked ? (
        <AskedForm key={asking} action={asking} id={id} shown={shown} ask={ask} decided={decided} />
      ) : (
        <p class="actions">
          {status !== 'approved' && (
            <button
              type="button"
              class="primary"
              disabled={isSending || !mayDecide(session, 'approve', shown)}
              onClick={(event) => choose('approve', event)}
            >
              {outcome?.sending === 'approve' ? 'Approving …' : 'Approve'} <kbd>a</kbd>
            </button>
          )}
          {status !== 'rejected' && (
            <button
              type="button"
              disabled={isSending || !mayDecide(session, 'reject', shown)}
              onClick={(event) => choose('reject', event)}
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
      {!mayDecide(session, 'approve', shown) && <NoRight session={session} />}
    </div>
  );
};
