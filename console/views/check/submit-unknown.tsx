import { useRef, useState } from 'preact/hooks';
import type { UsedVersion } from '../../../shared/use-cases/dependency-check/findings.ts';
import { useSending } from '../../evidence/use-sending.ts';
import { announce } from '../../frame/announcements.ts';
import { Failure } from '../../parts/states.tsx';
import { Line, Text } from '../../parts/text.tsx';
import { may, useSession } from '../../session/session.ts';
import { SignInButton } from '../../session/sign-in-dialog.tsx';
import { type Submitted, submitAll } from './ask.ts';

const Refused = ({ refused }: Pick<Submitted, 'refused'>) => (
  <div class="failure" role="alert">
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

interface SubmitUnknownProps {
  readonly unknown: readonly UsedVersion[];
  /** Asks anew where everything stands. */
  readonly reload: () => void;
}

/** Submits for review what nobody did. */
export const SubmitUnknown = ({ unknown, reload }: SubmitUnknownProps) => {
  const session = useSession();
  const field = useRef<HTMLInputElement>(null);
  const { isSending, error, send } = useSending();
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
  if (!may(session, 'submit')) {
    return (
      <p class="aside">
        Nobody submitted {unknown.length.toLocaleString('en')} of them.{' '}
        <SignInButton>Sign in</SignInButton> to submit them for review.
      </p>
    );
  }
  return (
    <form class="submit-unknown" onSubmit={submit} aria-label="Submit what nobody submitted">
      <label>
        What they are needed for (may be left out)
        <input ref={field} type="text" name="justification" maxLength={1000} autocomplete="off" />
      </label>
      <button type="submit" class="primary" disabled={isSending}>
        {isSending ? 'Submitting …' : `Submit ${unknown.length.toLocaleString('en')} for review`}
      </button>
      {error && <Failure error={error} />}
      {refused.length > 0 && <Refused refused={refused} />}
    </form>
  );
};
