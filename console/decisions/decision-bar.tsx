import { toKey, type VersionId } from '../address/address.ts';
import { Failure } from '../parts/states.tsx';
import { useSession } from '../session/session.ts';
import { type Action, actions, offeredActions } from './actions.ts';
import { AskedForm } from './asked-form.tsx';
import { isEvidenceRefusal } from './carry-out.ts';
import { decide } from './decide.ts';
import { MatterBar } from './matter-bar.tsx';
import { useMatters } from './matters.ts';
import { useOutcome } from './outcomes.ts';
import { findReasonNeeded } from './reason-needed.ts';
import { concerns } from './requests.ts';
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

const keys: Readonly<Partial<Record<Action, string>>> = { approve: 'a', reject: 'r' };

/** Decides on one version: at once where the registry asks for nothing, else by a form. */
export const DecisionBar = ({ id, evidence, ...props }: DecisionBarProps) => {
  const { asking, ask, next, decided } = props;
  const session = useSession();
  const outcome = useOutcome(id);
  const matter = useMatters().find(({ request }) => concerns(request, toKey(id)));
  const shown: OpenEvidence = { ...evidence, status: outcome?.status ?? evidence.status };
  const choose = async (action: Action, { detail }: MouseEvent): Promise<void> => {
    // The second click of a double click is about a version that nobody has seen yet.
    if (detail > 1) return;
    const isAsked =
      action !== 'approve' ||
      isEvidenceRefusal(outcome?.refused?.error) ||
      findReasonNeeded(action, shown);
    if (isAsked) return ask(action);
    const tallies = await decide(session, action, [{ ...id, ...shown }]);
    if (!tallies || tallies[0]?.done === 1) decided();
  };
  const offered = offeredActions[shown.status];
  const form =
    asking && mayDecide(session, asking, shown) && offered.includes(asking) ? (
      <AskedForm key={asking} action={asking} id={id} shown={shown} ask={ask} decided={decided} />
    ) : null;
  return (
    <div class="decision-bar">
      {outcome?.refused && <Failure error={outcome.refused.error} />}
      {!form && matter && outcome?.doing && <MatterBar matter={matter} doing={outcome.doing} />}
      {form ?? (
        <p class="actions">
          {offered.map((action) => (
            <button
              key={action}
              type="button"
              class={action === 'approve' ? 'primary' : ''}
              disabled={outcome?.doing !== undefined || !mayDecide(session, action, shown)}
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
      {!mayDecide(session, 'approve', shown) && <NoRight session={session} />}
    </div>
  );
};
