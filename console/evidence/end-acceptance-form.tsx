import { useRef } from 'preact/hooks';
import type { Acceptance } from '../../shared/api/schemas/acceptance.ts';
import { makeIdempotencyKey } from '../api/client.ts';
import { useMutation } from '../api/use-mutation.ts';
import { FormActions } from '../parts/form-actions.tsx';
import { formKeys } from '../parts/form-keys.ts';
import { ErrorMessage } from '../parts/placeholders.tsx';
import { useFocusRestore } from '../parts/use-focus-restore.ts';
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
  const { isSending, error, send } = useMutation();
  useFocusRestore(reason);
  const submit = (event: Event): void => {
    event.preventDefault();
    send(async () => {
      await api.withdrawAcceptance(
        { path: { id, number: String(number) }, body: { reason: reason.current?.value ?? '' } },
        { idempotencyKey: makeIdempotencyKey() },
      );
      noteAcceptanceChange(vulnerability, 'ended');
      announce(`Risk acceptance of ${id} ended: the vulnerability is open again within minutes`);
      done();
    });
  };
  return (
    <form
      class="decision-form"
      onSubmit={submit}
      onKeyDown={formKeys(cancel)}
      aria-label={`End the risk acceptance of ${id}`}
    >
      <label>
        Why do you end the risk acceptance?
        <textarea ref={reason} name="reason" rows={2} maxLength={2000} required />
      </label>
      {error && <ErrorMessage error={error} />}
      <FormActions isSending={isSending} cancel={cancel}>
        End risk acceptance <kbd>Enter</kbd>
      </FormActions>
    </form>
  );
};
