import { Line } from '../parts/text.tsx';
import { describePermissions, useSession } from '../session/session.ts';
import { SignInButton } from '../session/sign-in-dialog.tsx';

/** The label and the permissions of the signed-in user, or the button to sign in. */
export const SignedInUser = () => {
  const { caller, isAuthDisabled, isEnded } = useSession();
  if (caller && !isEnded) {
    return (
      <a class="signed-in-user" href="#/sign-in">
        <Line text={caller.label ?? 'a token without a label'} />
        <span class="signed-in-permissions">, {describePermissions(caller.scopes)}</span>
      </a>
    );
  }
  if (isAuthDisabled) return <span class="signed-in-user">everyone may decide</span>;
  return (
    <SignInButton class="plain signed-in-user">
      {isEnded ? 'Sign in again' : 'Sign in'}
    </SignInButton>
  );
};
