import { useRef } from 'preact/hooks';
import type { Acceptance } from '../../shared/api/schemas/acceptance.ts';
import { makeIdempotencyKey } from '../api/client.ts';
import { MutationForm } from '../parts/mutation-form.tsx';
import { useSession } from '../session/session.ts';
import { noteAcceptanceChange } from '../state/acceptance-changes.ts';
import { announce } from '../state/announcements.ts';

interface EndAcceptanceFormProps {
  /** The ID of the vulnerability. The acceptance may name an alias of it. */
  readonly vulnerability: string;
  readonly accepted: Pick<Acceptance, 'id' | 'number'>;
  readonly done: () => void;
  readonly cancel: () => void;
}

/** The form that ends the risk acceptance of a vulnerability. */
export const EndAcceptanceForm = (props: EndAcceptanceFormProps) => {
  const { vulnerability, accepted, done, cancel } = props;
  const { id, number } = accepted;
  const { api } = useSession();
  const reason = useRef<HTMLTextAreaElement>(null);
  const submit = async (): Promise<void> => {
    await api.withdrawAcceptance(
      { path: { id, number: String(number) }, body: { reason: reason.current?.value ?? '' } },
      { idempotencyKey: makeIdempotencyKey() },
    );
    noteAcceptanceChange(vulnerability, 'ended');
    announce(`Risk acceptance of ${id} ended: the vulnerability is open again within minutes`);
    done();
  };
  return (
    <MutationForm
      label={`End the risk acceptance of ${id}`}
      field={reason}
      submit={submit}
      cancel={cancel}
      action={
        <>
          End risk acceptance <kbd>Enter</kbd>
        </>
      }
    >
      <label>
        Why do you end the risk acceptance?
        <textarea ref={reason} name="reason" rows={2} maxLength={2000} required />
      </label>
    </MutationForm>
  );
};
