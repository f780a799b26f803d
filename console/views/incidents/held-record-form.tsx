import { useRef } from 'preact/hooks';
import type { HeldRecallPage } from '../../../shared/api/schemas/held-recall.ts';
import { makeIdempotencyKey } from '../../api/client.ts';
import { useMutation } from '../../api/use-mutation.ts';
import { FormActions } from '../../parts/form-actions.tsx';
import { formKeys } from '../../parts/form-keys.ts';
import { ErrorMessage } from '../../parts/placeholders.tsx';
import { useFocusRestore } from '../../parts/use-focus-restore.ts';
import { useSession } from '../../session/session.ts';
import { announce } from '../../state/announcements.ts';
import { refreshLists } from '../../state/list-refresh.ts';

/** The decisions on a held record. */
export type HeldRecordDecision = 'recall' | 'dismiss';

const maxReasonLength = 500;

const texts = {
  recall: {
    effect: 'The registry recalls the approved versions that the record names, within minutes.',
    label: 'Recall the versions',
    done: 'confirmed: its versions are recalled within minutes',
  },
  dismiss: {
    effect: 'The record recalls nothing until it names something else.',
    label: 'Dismiss the record',
    done: 'dismissed',
  },
} as const;

interface HeldRecordFormProps {
  readonly record: HeldRecallPage['held_recalls'][number];
  readonly decision: HeldRecordDecision;
  readonly close: () => void;
  /** Loads the records again. */
  readonly reload: () => void;
}

/** The form that decides on a held record of malware, with a reason. */
export const HeldRecordForm = ({ record: held, decision, close, reload }: HeldRecordFormProps) => {
  const { record, held_at } = held;
  const { api } = useSession();
  const reason = useRef<HTMLInputElement>(null);
  const { isSending, error, send } = useMutation();
  useFocusRestore(reason);
  const { effect, label, done } = texts[decision];
  const submit = (event: Event): void => {
    event.preventDefault();
    send(async () => {
      await api.decideHeldRecall(
        {
          path: { id: record },
          // The registry refuses the decision if the record changed since.
          body: { decision, reason: reason.current?.value ?? '', held_at },
        },
        { idempotencyKey: makeIdempotencyKey() },
      );
      announce(`${record} ${done}`);
      close();
      reload();
      refreshLists();
    });
  };
  return (
    <form
      class="decision-form"
      onSubmit={submit}
      onKeyDown={formKeys(close)}
      aria-label={`${label}: ${record}`}
    >
      <p>{effect}</p>
      <label>
        Why?
        <input ref={reason} type="text" maxLength={maxReasonLength} required />
      </label>
      {error && <ErrorMessage error={error} />}
      <FormActions isSending={isSending} cancel={close}>
        {label}
      </FormActions>
    </form>
  );
};
