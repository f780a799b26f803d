import { Line } from '../parts/text.tsx';
import { useSession } from '../session/session.ts';
import { SignInButton } from '../session/sign-in-dialog.tsx';

const rights = { submit: 'submit', review: 'review' } as const;

/** What scopes let somebody do, in words: `may submit and review`. */
export const describeRights = (scopes: readonly (keyof typeof rights)[]): string =>
  scopes.length === 0 ? 'may read' : `may ${scopes.map((scope) => rights[scope]).join(' and ')}`;

/** Who is signed in, and what they may do. */
export const Who = () => {
  const { caller, isOpen, isEnded } = useSession();
  if (caller && !isEnded) {
    return (
      <a class="who" href="#/sign-in">
        <Line text={caller.label ?? 'a token without a label'} />
        <span class="who-rights">, {describeRights(caller.scopes)}</span>
      </a>
    );
  }
  if (isOpen) return <span class="who">everyone may decide</span>;
  return <SignInButton class="plain who">{isEnded ? 'Sign in again' : 'Sign in'}</SignInButton>;
};
