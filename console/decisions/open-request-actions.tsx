import { describeCaller, hasScope, useSession } from '../session/session.ts';
import { actions } from './actions.ts';
import { discard, sendAgain, sendHeld, undo } from './decide.ts';
import type { DecisionRequest } from './decision-requests.ts';
import type { OpenRequest } from './open-requests.ts';
import { returnToVersion } from './return-to-version.ts';

interface HeldActionsProps {
  readonly request: DecisionRequest;
  /** Whether the key `u` is about it. */
  readonly isNewest: boolean;
}

/** What can be done about a decision that is held. */
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

/** What can be done about decisions that are not made yet. */
export const UnsentActions = ({
  openRequests,
}: {
  readonly openRequests: readonly OpenRequest[];
}) => {
  const session = useSession();
  const { caller, api } = session;
  const others = openRequests.filter(({ request }) => request.as !== describeCaller(caller));
  const mayAll =
    others.length === 0 && (hasScope(session, 'review') || hasScope(session, 'submit'));
  const [other] = others;
  return (
    <>
      <button
        type="button"
        disabled={!mayAll}
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
      {!mayAll && other?.request.as && <span> Sign in as {other.request.as} to send it.</span>}
    </>
  );
};

/** `will be approved`. */
export const describeHeld = ({ action }: DecisionRequest): string =>
  `will be ${actions[action].done}`;
