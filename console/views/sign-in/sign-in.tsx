import { useRef, useState } from 'preact/hooks';
import type { RequestError } from '../../../shared/client/request-error.ts';
import { toRequestError } from '../../api/use-answer.ts';
import { describeRights } from '../../frame/who.tsx';
import { Failure } from '../../parts/states.tsx';
import { Line } from '../../parts/text.tsx';
import { signIn, signOut, useSession } from '../../session/session.ts';

const SignedIn = () => {
  const { caller } = useSession();
  if (!caller) return null;
  const { label, scopes, fingerprint } = caller;
  return (
    <section class="sheet" aria-labelledby="who-title">
      <h2 id="who-title">You are signed in</h2>
      <dl class="facts">
        <dt>As</dt>
        <dd>{label === null ? 'a token without a label' : <Line text={label} />}</dd>
        <dt>You</dt>
        <dd>{describeRights(scopes)}</dd>
        {fingerprint && (
          <>
            <dt>Token</dt>
            <dd>
              <code>{fingerprint}</code>
              <span class="aside"> the beginning of its SHA-256</span>
            </dd>
          </>
        )}
      </dl>
      <p class="actions">
        <a class="button primary" href="#/queue">
          Go to the queue
        </a>
        <button type="button" onClick={signOut}>
          Sign out
        </button>
      </p>
    </section>
  );
};

const TokenForm = () => {
  const field = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<RequestError>();
  const [isChecking, setChecking] = useState(false);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setChecking(true);
    setError(undefined);
    try {
      await signIn(field.current?.value.trim() ?? '');
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
        Reading needs no token; deciding does. Whoever runs the registry hands tokens out, for
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
      <p class="aside" id="token-note">
        It stays in this window, and is gone when you close it.
      </p>
      {error && <Failure error={error} />}
      <p class="actions">
        <button type="submit" class="primary" disabled={isChecking}>
          {isChecking ? 'Checking …' : 'Sign in'}
        </button>
        <a href="#/queue">Go on without</a>
      </p>
    </form>
  );
};

/** Who I am, and what I may do. */
const SignIn = () => {
  const { caller, isOpen } = useSession();
  if (caller) return <SignedIn />;
  if (!isOpen) return <TokenForm />;
  return (
    <section class="sheet" aria-labelledby="open-title">
      <h2 id="open-title">No token is needed</h2>
      <p>This registry has no tokens: everybody who reaches it may submit and decide.</p>
      <p class="actions">
        <a class="button primary" href="#/queue">
          Go to the queue
        </a>
      </p>
    </section>
  );
};

export default SignIn;
