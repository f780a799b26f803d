import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { RequestError } from '../../shared/api/client/request-error.ts';
import type { SignInSettings } from '../../shared/domain/identity/trusted-issuer.ts';
import { toRequestError } from '../api/to-request-error.ts';
import { ErrorMessage } from '../parts/placeholders.tsx';
import { AccountButton } from './account-button.tsx';
import { loadSignIn, signIn, useSession } from './session.ts';

interface TokenFormProps {
  /** Called after the sign-in. */
  readonly done: () => void;
  /** Called when the user continues without a sign-in. */
  readonly cancel: () => void;
}

interface FieldsProps extends TokenFormProps {
  /** How people sign in with an account; null if the registry has tokens alone. */
  readonly account: SignInSettings | null;
}

/** Returns the token in a field. Headers with other characters cannot be sent. */
const readToken = (field: HTMLInputElement | null): string => {
  const token = field?.value.trim() ?? '';
  if (/^[!-~]+$/.test(token)) return token;
  const detail = 'This is not a token. Tokens have letters, digits and -._~ only.';
  throw new RequestError({ code: 'invalid_token', detail });
};

const Fields = ({ account, done, cancel }: FieldsProps) => {
  const field = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<RequestError>();
  const [isChecking, setChecking] = useState(false);
  // Before the next key, which belongs to the field.
  useLayoutEffect(() => {
    if (account === null) field.current?.focus();
  }, []);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setChecking(true);
    setError(undefined);
    try {
      await signIn(readToken(field.current));
      done();
    } catch (caught) {
      setError(toRequestError(caught));
      field.current?.focus();
    } finally {
      setChecking(false);
    }
  };
  return (
    <form class="sheet" onSubmit={send} aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">Sign in</h2>
      <p>
        {account === null
          ? 'You can read without a token. To submit or to decide, you need a token from the operators of the registry.'
          : 'You can read without a sign-in. To submit or to decide, sign in with your account or with a token.'}
      </p>
      {account !== null && <AccountButton settings={account} />}
      <label class={account === null ? undefined : 'alternative'}>
        {account === null ? 'Your token' : 'Or your token'}
        <input
          ref={field}
          type="password"
          name="token"
          autocomplete="off"
          spellcheck={false}
          required
          aria-describedby="token-note"
        />
      </label>
      <p class="muted" id="token-note">
        The token is used in all open tabs of the console. It is removed when you close the last
        tab.
      </p>
      {error && <ErrorMessage error={error} />}
      <p class="actions">
        <button
          type="submit"
          class={account === null ? 'primary' : undefined}
          disabled={isChecking}
        >
          {isChecking ? 'Checking …' : account === null ? 'Sign in' : 'Use the token'}
        </button>
        <button type="button" onClick={cancel}>
          {account === null ? 'Continue without a token' : 'Continue without a sign-in'}
        </button>
      </p>
    </form>
  );
};

/** The form that signs in: with an account of the company if the registry accepts those, or with a token. */
export const TokenForm = (props: TokenFormProps) => {
  const { signIn: account } = useSession();
  const [hasFailed, setFailed] = useState(false);
  const isUnknown = account === undefined && !hasFailed;
  useEffect(() => {
    if (isUnknown) loadSignIn().catch(() => setFailed(true));
  }, [isUnknown]);
  if (isUnknown) {
    return (
      <p class="sheet muted" role="status">
        Loading …
      </p>
    );
  }
  return <Fields {...props} account={account ?? null} />;
};
