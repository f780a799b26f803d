import { useEffect, useRef, useState } from 'preact/hooks';
import type { RequestError } from '../../shared/api/client/request-error.ts';
import { toRequestError } from '../api/to-request-error.ts';
import { ErrorMessage } from '../parts/placeholders.tsx';
import { signIn } from './session.ts';

interface TokenFormProps {
  /** Called after the sign-in. */
  readonly done: () => void;
  /** Called when the user continues without a token. */
  readonly cancel: () => void;
}

/** The form that signs in with a token. */
export const TokenForm = ({ done, cancel }: TokenFormProps) => {
  const field = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<RequestError>();
  const [isChecking, setChecking] = useState(false);
  useEffect(() => field.current?.focus(), []);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setChecking(true);
    setError(undefined);
    try {
      await signIn(field.current?.value.trim() ?? '');
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
        You can read without a token. To submit or to decide, you need a token from the operators of
        the registry.
      </p>
      <label>
        Your token
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
        <button type="submit" class="primary" disabled={isChecking}>
          {isChecking ? 'Checking …' : 'Sign in'}
        </button>
        <button type="button" onClick={cancel}>
          Continue without a token
        </button>
      </p>
    </form>
  );
};
