import { actions } from './actions.ts';
import { describeRequest } from './decision-requests.ts';
import { describeHeld, HeldActions, UnsentActions } from './open-request-actions.tsx';
import { type OpenRequest, useOpenRequests } from './open-requests.ts';
import type { Outcome } from './outcome.ts';

interface OpenRequestBarProps {
  readonly openRequest: OpenRequest;
  readonly doing: NonNullable<Outcome['doing']>;
}

/** The progress of a decision on the open version, with buttons to undo, send or discard it. */
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
            This version {describeHeld(request)}
            {together}.
          </strong>
          <HeldActions request={request} isNewest={newest === openRequest} />
        </>
      )}
      {stage === 'queued' && `Not sent yet: ${doing} comes next …`}
      {stage === 'sending' && `Sending: ${doing} …`}
      {stage === 'checking' && 'No answer from the registry. Checking the version …'}
      {stage === 'unsent' && (
        <>
          <strong>
            This version is not {done} yet
            {together}. Send the decision again, or discard it.
          </strong>
          <UnsentActions openRequests={[openRequest]} />
        </>
      )}
    </p>
  );
};
