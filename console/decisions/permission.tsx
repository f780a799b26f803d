import { hasScope, type Session } from '../session/session.ts';
import { SignInButton } from '../session/sign-in-dialog.tsx';
import type { Action } from './actions.ts';
import type { OpenEvidence } from './shown-evidence.ts';

/** Whether the version was submitted with the caller's token, as far as its label says that. */
const isOwn = ({ caller, isAuthDisabled }: Session, { submitter }: OpenEvidence): boolean =>
  isAuthDisabled || (caller !== null && caller.label === submitter);

/** Whether a decision can be tried: who submitted a version by mistake can reject it while it is pending. */
export const canDecide = (session: Session, action: Action, evidence: OpenEvidence): boolean =>
  hasScope(session, 'review') ||
  (action === 'reject' &&
    evidence.status === 'pending' &&
    hasScope(session, 'submit') &&
    isOwn(session, evidence));

/** What keeps somebody from deciding, and what to do. */
export const PermissionNotice = ({ session }: { readonly session: Session }) =>
  session.caller ? (
    <p class="muted">Your token is not for reviewing: deciding needs one that is.</p>
  ) : (
    <p class="muted">
      <SignInButton>Sign in</SignInButton> to decide.
    </p>
  );
