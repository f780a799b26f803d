import { actions } from './actions.ts';
import { describeRequest } from './decision-requests.ts';
import { describeHeld, HeldActions, UnsentActions } from './open-request-actions.tsx';
import { type OpenRequest, useOpenRequests } from './open-requests.ts';
import type { Outcome } from './outcomes.ts';

interface OpenRequestBarProps {
  readonly openRequest: OpenRequest;
  readonly doing: NonNullable<Outcome['doing']>;
}

/** How far a decision on the open version is, and what can be done about it. */
export const OpenRequestBar = ({ openRequest, doing: { action, stage } }: OpenRequestBarProps) => {
  const { request } = openRequest;
  const newest = useOpenRequests().findLast((one) => one.stage === 'held');
  const { doing, done } = actions[action];
  const together = request.decisions.length > 1 ? `, one of ${describeRequest(request)}` : '';
  return (
    <p class="actions open-request" role="status">
      {stage === 'held' && (
        <>
          <strong>
            It {describeHeld(request)}
            {together}.
          </strong>
          <HeldActions request={request} isNewest={newest === openRequest} />
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
          <UnsentActions openRequests={[openRequest]} />
        </>
      )}
    </p>
  );
};
