import { goTo } from '../../address/address.ts';
import { Line } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { describePermissions, isRenewed, signOut, useSession } from '../../session/session.ts';
import { TokenForm } from '../../session/token-form.tsx';

const SignedIn = () => {
  const { caller } = useSession();
  if (!caller) return null;
  const { label, scopes, fingerprint, issuer, expires_at } = caller;
  return (
    <section class="sheet" aria-labelledby="who-title">
      <h2 id="who-title">You are signed in</h2>
      <dl class="facts">
        <dt>Label</dt>
        <dd>{label === null ? 'no label' : <Line text={label} />}</dd>
        <dt>Permissions</dt>
        <dd>{describePermissions(scopes)}</dd>
        {issuer === null ? (
          fingerprint && (
            <>
              <dt>Token</dt>
              <dd>
                <code>{fingerprint}</code>
                <span class="muted"> (beginning of its SHA-256)</span>
              </dd>
            </>
          )
        ) : (
          <>
            <dt>Account of</dt>
            <dd>
              <Line text={issuer} />
            </dd>
            <dt>Expires</dt>
            <dd>
              {expires_at && <Time at={expires_at} />}
              <span class="muted">
                {isRenewed()
                  ? ' (renewed before that while you use the console)'
                  : ' (sign in again then)'}
              </span>
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

/** The view of the session: sign in, or the current user. */
export const SignIn = () => {
  const { caller, isAuthDisabled, isEnded } = useSession();
  if (caller && !isEnded) return <SignedIn />;
  if (!isAuthDisabled) return <TokenForm done={() => {}} cancel={() => goTo({})} />;
  return (
    <section class="sheet" aria-labelledby="open-title">
      <h2 id="open-title">No token is needed</h2>
      <p>This registry has no tokens. Everyone who can reach it may submit and decide.</p>
      <p class="actions">
        <a class="button primary" href="#/queue">
          Go to the queue
        </a>
      </p>
    </section>
  );
};
