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
  readonly missing: readonly UsedVersion[];
  /** Runs the check again. */
  readonly reload: () => void;
}

/** The form that submits the versions that are not in the registry. */
export const SubmitMissing = ({ missing, reload }: SubmitMissingProps) => {
  const session = useSession();
  const field = useRef<HTMLInputElement>(null);
  const { isSending, error, send } = useMutation();
  const [refused, setRefused] = useState<Submitted['refused']>([]);
  const submit = (event: Event): void => {
    event.preventDefault();
    void send(async () => {
      const done = await submitAll(session.api, missing, field.current?.value.trim() ?? '');
      setRefused(done.refused);
      announce(`${done.count} submitted for review`);
      reload();
    });
  };
  if (missing.length === 0) return refused.length > 0 ? <Refused refused={refused} /> : null;
  if (!hasScope(session, 'submit')) {
    return (
      <p class="muted">
        {missing.length.toLocaleString('en')} of them are not in the registry.{' '}
        <SignInButton>Sign in</SignInButton> to submit them for review.
      </p>
    );
  }
  return (
    <form class="submit-missing" onSubmit={submit} aria-label="Submit missing versions">
      <label>
        Justification (optional)
        <input ref={field} type="text" name="justification" maxLength={1000} autocomplete="off" />
      </label>
      <button type="submit" class="primary" disabled={isSending}>
        {isSending ? 'Submitting …' : `Submit ${missing.length.toLocaleString('en')} for review`}
      </button>
      {error && <ErrorMessage error={error} />}
      {refused.length > 0 && <Refused refused={refused} />}
    </form>
  );
};
