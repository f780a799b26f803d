import { useRef, useState } from 'preact/hooks';
import type { LicenseCompatibility } from '../../../shared/api/schemas/license.ts';
import { useMutation } from '../../api/use-mutation.ts';
import { ExternalLink } from '../../parts/external-link.tsx';
import { ErrorMessage } from '../../parts/placeholders.tsx';
import { Line, Text } from '../../parts/text.tsx';
import { useSession } from '../../session/session.ts';

const maxNameLength = 255;

const Answer = ({ answer }: { readonly answer: LicenseCompatibility }) => (
  <p role="status">
    <strong>{answer.verdict.replaceAll('_', ' ')}</strong>: <Text text={answer.explanation} />{' '}
    <span class="muted">
      rule <Line text={answer.rule} />
    </span>
    {answer.source !== null && (
      <>
        {' '}
        <ExternalLink address={answer.source}>Source</ExternalLink>
      </>
    )}
  </p>
);

/** The form that checks whether a work under another license may contain code under this license. */
export const Compatibility = ({ name }: { readonly name: string }) => {
  const { api } = useSession();
  const other = useRef<HTMLInputElement>(null);
  const [answer, setAnswer] = useState<LicenseCompatibility>();
  const { isSending, error, send } = useMutation();
  const submit = (event: Event): void => {
    event.preventDefault();
    const wanted = other.current?.value.trim();
    if (!wanted) return;
    send(async () => {
      setAnswer(undefined);
      setAnswer(await api.compareLicenses({ path: { name, other: wanted } }));
    });
  };
  return (
    <>
      <h3>Compatibility</h3>
      <form class="license-compatibility" onSubmit={submit}>
        <label>
          License of the work that contains the code
          <input ref={other} name="other" maxLength={maxNameLength} required />
        </label>{' '}
        <button type="submit" disabled={isSending}>
          Check
        </button>
      </form>
      {error && <ErrorMessage error={error} />}
      {answer && <Answer answer={answer} />}
    </>
  );
};
