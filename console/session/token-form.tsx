import { useEffect, useRef, useState } from 'preact/hooks';
import type { RequestError } from '../../shared/api/client/request-error.ts';
import { toRequestError } from '../api/to-request-error.ts';
import { ErrorMessage } from '../parts/placeholders.tsx';
import { signIn } from './session.ts';

interface TokenFormProps {
  /** Called once somebody is signed in. */
  readonly done: () => void;
  /** Leads away without a token. */
  readonly cancel: () => void;
}

/** Asks for a token, in the place where it is needed. */
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
        Reading needs no token; deciding does. The operators of the registry hand tokens out, for
        submitting, for reviewing, or for both.
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
        It counts for all open tabs of the console in this browser, and is gone when the last one is
        closed.
      </p>
      {error && <ErrorMessage error={error} />}
      <p class="actions">
        <button type="submit" class="primary" disabled={isChecking}>
          {isChecking ? 'Checking …' : 'Sign in'}
        </button>
        <button type="button" onClick={cancel}>
          Go on without
        </button>
      </p>
    </form>
  );
};
