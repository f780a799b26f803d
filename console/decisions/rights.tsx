import type { Status } from '../../shared/domain/status.ts';
import { may, type Session } from '../session/session.ts';
import type { Action } from './outcomes.ts';

/** Whether a decision can be tried: who submitted something by mistake can reject it while it is pending. */
export const mayDecide = (session: Session, action: Action, status: Status): boolean =>
  may(session, 'review') || (action === 'reject' && status === 'pending' && may(session, 'submit'));

/** What keeps somebody from deciding, and what to do. */
export const NoRight = ({ session }: { readonly session: Session }) =>
  session.caller ? (
    <p class="aside">Your token is not for reviewing: deciding needs one that is.</p>
  ) : (
    <p class="aside">
      <a href="#/sign-in">Sign in</a> to decide.
    </p>
  );
