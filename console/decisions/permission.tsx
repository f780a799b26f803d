import { hasScope, type Session } from '../session/session.ts';
import { SignInButton } from '../session/sign-in-dialog.tsx';
import type { Action } from './actions.ts';
import type { OpenEvidence } from './shown-evidence.ts';

/** Returns true if the label of the caller is that of the submission. */
const isOwn = ({ caller, isAuthDisabled }: Session, { submitter }: OpenEvidence): boolean =>
  isAuthDisabled || (caller !== null && caller.label === submitter);

/** Returns true if the caller may decide. Submitters may reject their own pending submissions. */
export const canDecide = (session: Session, action: Action, evidence: OpenEvidence): boolean =>
  hasScope(session, 'review') ||
  (action === 'reject' &&
    evidence.status === 'pending' &&
    hasScope(session, 'submit') &&
    isOwn(session, evidence));

/** Says why the caller cannot decide, and what to do. */
export const PermissionNotice = ({ session }: { readonly session: Session }) =>
  session.caller ? (
    <p class="muted">
      Your {session.caller.issuer === null ? 'token' : 'account'} cannot review. To decide, you need
      the scope “review”.
    </p>
  ) : (
    <p class="muted">
      <SignInButton>Sign in</SignInButton> to decide.
    </p>
  );
