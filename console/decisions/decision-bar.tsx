import { toKey, type VersionId } from '../address/version-id.ts';
import { ErrorMessage } from '../parts/placeholders.tsx';
import { useSession } from '../session/session.ts';
import { type Action, actions, listActions } from './actions.ts';
import { decide } from './decide.ts';
import { includesVersion } from './decision-requests.ts';
import { OpenRequestBar } from './open-request-bar.tsx';
import { useOpenRequests } from './open-requests.ts';
import { useOutcome } from './outcomes.ts';
import { canDecide, PermissionNotice } from './permission.tsx';
import { findReasonPrompt } from './reason-prompt.ts';
import { isEvidenceRefusal } from './send-decisions.ts';
import { findRecallRecord, type OpenEvidence } from './shown-evidence.ts';
import { SingleDecisionForm } from './single-decision-form.tsx';

interface DecisionBarProps {
  readonly id: VersionId;
  /** The evidence on the screen. */
  readonly evidence: OpenEvidence;
  /** The action whose form is open; null without a form. */
  readonly asking: Action | null;
  readonly ask: (action: Action | null) => void;
  /** Opens the next version of the list; absent without one. */
  readonly next?: (() => void) | undefined;
  /** Called after the decision. */
  readonly decided: () => void;
}

const keys: Readonly<Partial<Record<Action, string>>> = { approve: 'a', reject: 'r' };

/** The buttons for a decision on one version. Opens a form if the decision needs a reason. */
export const DecisionBar = ({ id, evidence, ...props }: DecisionBarProps) => {
  const { asking, ask, next, decided } = props;
  const session = useSession();
  const outcome = useOutcome(id);
  const openRequest = useOpenRequests().find(({ request }) => includesVersion(request, toKey(id)));
  const shown: OpenEvidence = { ...evidence, status: outcome?.status ?? evidence.status };
  const choose = async (action: Action, { detail }: MouseEvent): Promise<void> => {
    // The second click of a double click would decide on the next version, which nobody has seen.
    if (detail > 1) return;
    const isAsked =
      action !== 'approve' ||
      isEvidenceRefusal(outcome?.refused?.error) ||
      findReasonPrompt(action, shown);
    if (isAsked) return ask(action);
    const results = await decide(session, action, [{ ...id, ...shown }]);
    if (!results || results[0]?.done === 1) decided();
  };
  const isRecalled = findRecallRecord(shown) !== undefined;
  const offered = listActions(shown.status, isRecalled);
  const form =
    asking && canDecide(session, asking, shown) && offered.includes(asking) ? (
      <SingleDecisionForm
        key={asking}
        action={asking}
        id={id}
        shown={shown}
        ask={ask}
        decided={decided}
      />
    ) : null;
  return (
    <div class="decision-bar">
      {outcome?.refused && <ErrorMessage error={outcome.refused.error} />}
      {!form && openRequest && outcome?.doing && (
        <OpenRequestBar openRequest={openRequest} doing={outcome.doing} />
      )}
      {form ?? (
        <p class="actions">
          {offered.map((action) => (
            <button
              key={action}
              type="button"
              class={action === 'approve' && shown.status === 'pending' ? 'primary' : ''}
              disabled={outcome?.doing !== undefined || !canDecide(session, action, shown)}
              onClick={(event) => choose(action, event)}
            >
              {actions[action].verb} {keys[action] && <kbd class="single">{keys[action]}</kbd>}
            </button>
          ))}
          {next && (
            <button type="button" class="end" onClick={next}>
              Next <kbd class="single">j</kbd>
            </button>
          )}
        </p>
      )}
      {!canDecide(session, 'approve', shown) && <PermissionNotice session={session} />}
    </div>
  );
};
