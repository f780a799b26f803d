import { useRef, useState } from 'preact/hooks';
import type { UsedVersion } from '../../../shared/use-cases/dependency-check/findings.ts';
import { useMutation } from '../../api/use-mutation.ts';
import { ErrorMessage } from '../../parts/placeholders.tsx';
import { Line, Text } from '../../parts/text.tsx';
import { hasScope, useSession } from '../../session/session.ts';
import { SignInButton } from '../../session/sign-in-dialog.tsx';
import { announce } from '../../state/announcements.ts';
import { type Submitted, submitAll } from './check-files.ts';

const Refused = ({ refused }: Pick<Submitted, 'refused'>) => (
  <div class="error-message" role="alert">
    <p>{refused.length} could not be submitted:</p>
    <ul>
      {refused.map(({ title, why }) => (
        <li key={title}>
          <Line text={title} />: <Text text={why} />
        </li>
      ))}
    </ul>
  </div>
);

interface SubmitMissingProps {
  readonly unknown: readonly UsedVersion[];
  /** Asks anew where everything stands. */
  readonly reload: () => void;
}

/** Submits for review what nobody did. */
export const SubmitMissing = ({ unknown, reload }: SubmitMissingProps) => {
  const session = useSession();
  const field = useRef<HTMLInputElement>(null);
  const { isSending, error, send } = useMutation();
  const [refused, setRefused] = useState<Submitted['refused']>([]);
  const submit = (event: Event): void => {
    event.preventDefault();
    void send(async () => {
      const done = await submitAll(session.api, unknown, field.current?.value.trim() ?? '');
      setRefused(done.refused);
      announce(`${done.count} submitted for review`);
      reload();
    });
  };
  if (unknown.length === 0) return refused.length > 0 ? <Refused refused={refused} /> : null;
  if (!hasScope(session, 'submit')) {
    return (
      <p class="muted">
        Nobody submitted {unknown.length.toLocaleString('en')} of them.{' '}
        <SignInButton>Sign in</SignInButton> to submit them for review.
      </p>
    );
  }
  return (
    <form class="submit-missing" onSubmit={submit} aria-label="Submit what nobody submitted">
      <label>
        What they are needed for (may be left out)
        <input ref={field} type="text" name="justification" maxLength={1000} autocomplete="off" />
      </label>
      <button type="submit" class="primary" disabled={isSending}>
        {isSending ? 'Submitting …' : `Submit ${unknown.length.toLocaleString('en')} for review`}
      </button>
      {error && <ErrorMessage error={error} />}
      {refused.length > 0 && <Refused refused={refused} />}
    </form>
  );
};
