import { useEffect, useRef, useState } from 'preact/hooks';
import type { SignInSettings } from '../../shared/domain/identity/trusted-issuer.ts';
import { registryUrl } from '../api/client.ts';
import { toRequestError } from '../api/to-request-error.ts';
import { Line } from '../parts/text.tsx';
import { useStore } from '../state/store.ts';
import { loadAccounts, signInError, useSession } from './session.ts';

/** The button that leaves the page for the sign-in of the company, and the error of the last attempt. */
export const AccountButton = ({ settings }: { readonly settings: SignInSettings }) => {
  const button = useRef<HTMLButtonElement>(null);
  const error = useStore(signInError);
  const { isEnded } = useSession();
  const [isLeaving, setLeaving] = useState(false);
  useEffect(() => {
    button.current?.focus();
    return () => signInError.set(() => null);
  }, []);
  const leave = async (): Promise<void> => {
    setLeaving(true);
    signInError.set(() => null);
    try {
      const { beginAccountSignIn } = await loadAccounts();
      await beginAccountSignIn(settings, `${registryUrl}/console`);
    } catch (caught) {
      signInError.set(() =>
        caught instanceof Error ? caught.message : toRequestError(caught).detail,
      );
    }
    // Also after success: browsers can show this page again as it was.
    setLeaving(false);
  };
  return (
    <>
      {error !== null && (
        <div class="error-message" role="alert">
          <p>
            <Line text={error} />
          </p>
        </div>
      )}
      <p class="actions">
        <button type="button" class="primary" ref={button} disabled={isLeaving} onClick={leave}>
          {isLeaving ? 'Opening the sign-in …' : 'Sign in with your company account'}
        </button>
      </p>
      <p class="muted">
        You sign in at <Line text={settings.issuer} />, and return to this view.
        {isEnded && ' Text that you typed into forms is not kept.'}
      </p>
    </>
  );
};
