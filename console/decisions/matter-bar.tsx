import { actions } from './actions.ts';
import { describeHeld, HeldActions, UnsentActions } from './matter-actions.tsx';
import { type Matter, useMatters } from './matters.ts';
import type { Outcome } from './outcomes.ts';
import { describeRequest } from './requests.ts';

interface MatterBarProps {
  readonly matter: Matter;
  readonly doing: NonNullable<Outcome['doing']>;
}

/** How far a decision on the open version is, and what can be done about it. */
export const MatterBar = ({ matter, doing: { action, stage } }: MatterBarProps) => {
  const { request } = matter;
  const newest = useMatters().findLast((one) => one.stage === 'held');
  const { doing, done } = actions[action];
  const together = request.decisions.length > 1 ? `, one of ${describeRequest(request)}` : '';
  return (
    <p class="actions matter" role="status">
      {stage === 'held' && (
        <>
          <strong>
            It {describeHeld(request)}
            {together}.
          </strong>
          <HeldActions request={request} isNewest={newest === matter} />
        </>
      )}
      {stage === 'sending' && `It is sent: ${doing} …`}
      {stage === 'checking' && 'No answer; checking …'}
      {stage === 'unsent' && (
        <>
          <strong>
            It is not {done} yet
            {together}: send the decision again, or discard it.
          </strong>
          <UnsentActions matters={[matter]} />
        </>
      )}
    </p>
  );
};
