import { useRef } from 'preact/hooks';
import type { HeldRecallPage } from '../../../shared/api/schemas/held-recall.ts';
import { makeIdempotencyKey } from '../../api/client.ts';
import { MutationForm } from '../../parts/mutation-form.tsx';
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
  const { effect, label, done } = texts[decision];
  const submit = async (): Promise<void> => {
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
  };
  return (
    <MutationForm
      label={`${label}: ${record}`}
      field={reason}
      submit={submit}
      cancel={close}
      action={label}
    >
      <p>{effect}</p>
      <label>
        Why?
        <input ref={reason} type="text" maxLength={maxReasonLength} required />
      </label>
    </MutationForm>
  );
};
