import { describeCaller, hasScope, useSession } from '../session/session.ts';
import { actions } from './actions.ts';
import { discard, sendAgain, sendHeld, undo } from './decide.ts';
import type { DecisionRequest } from './decision-requests.ts';
import type { OpenRequest } from './open-requests.ts';
import { returnToVersion } from './return-to-version.ts';

interface HeldActionsProps {
  readonly request: DecisionRequest;
  /** True if the key `u` cancels this request. */
  readonly isNewest: boolean;
}

/** The buttons for a held decision: undo, or send now. */
export const HeldActions = ({ request, isNewest }: HeldActionsProps) => (
  <>
    <button
      type="button"
      onClick={() => {
        undo(request);
        returnToVersion(request);
      }}
    >
      Undo {isNewest && <kbd class="single">u</kbd>}
    </button>{' '}
    <button type="button" class="plain" onClick={() => sendHeld(request)}>
      Send now
    </button>
  </>
);

/** The buttons for decisions that are not made yet: send again, or discard. */
export const UnsentActions = ({
  openRequests,
}: {
  readonly openRequests: readonly OpenRequest[];
}) => {
  const session = useSession();
  const { caller, api } = session;
  const others = openRequests.filter(({ request }) => request.as !== describeCaller(caller));
  const canSendAll =
    others.length === 0 && (hasScope(session, 'review') || hasScope(session, 'submit'));
  const [other] = others;
  return (
    <>
      <button
        type="button"
        disabled={!canSendAll}
        onClick={() => {
          for (const { request } of openRequests) sendAgain(api, request);
        }}
      >
        Send
      </button>{' '}
      <button
        type="button"
        class="plain"
        onClick={() => {
          for (const { request } of openRequests) discard(request);
        }}
      >
        Discard
      </button>
      {!canSendAll && other?.request.as && (
        <span> Sign in as {other.request.as} to send the decision.</span>
      )}
    </>
  );
};

/** Returns the future of a held decision: `will be approved`. */
export const describeHeld = ({ action }: DecisionRequest): string =>
  `will be ${actions[action].done}`;
