import { useRef } from 'preact/hooks';
import type { FreezeStatus } from '../../../shared/api/schemas/freeze.ts';
import { dayMs } from '../../../shared/util/duration.ts';
import { makeIdempotencyKey } from '../../api/client.ts';
import { MutationForm } from '../../parts/mutation-form.tsx';
import { useSession } from '../../session/session.ts';
import { announce } from '../../state/announcements.ts';
import { refreshLists } from '../../state/list-refresh.ts';

const maxReasonLength = 500;

/** Returns a time as the field takes it, in UTC to the minute: `2026-09-15T08:30`. */
const toField = (moment: number): string =>
  new Date(moment).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length);

interface FreezeFormProps {
  /** The freeze in force, which the new one replaces; null for none. */
  readonly freeze: FreezeStatus['freeze'];
  readonly close: () => void;
}

/** The form that freezes the registry, or replaces the freeze: time and reason. */
export const FreezeForm = ({ freeze, close }: FreezeFormProps) => {
  const { api } = useSession();
  const before = useRef<HTMLInputElement>(null);
  const reason = useRef<HTMLInputElement>(null);
  const submit = async (): Promise<void> => {
    await api.freezeRegistry(
      {
        body: {
          before: `${before.current?.value ?? ''}:00Z`,
          reason: reason.current?.value ?? '',
        },
      },
      { idempotencyKey: makeIdempotencyKey() },
    );
    announce('The registry is frozen');
    refreshLists();
    close();
  };
  return (
    <MutationForm
      label="Freeze the registry"
      field={before}
      submit={submit}
      cancel={close}
      action={freeze ? 'Change the freeze' : 'Freeze the registry'}
    >
      <p>
        From then on, rules approve nothing. Checks, the dependency firewall and the admission of
        pods refuse versions that were published later, also approved ones.
      </p>
      <div class="fields">
        <label>
          Refuse versions published after (UTC)
          <input
            ref={before}
            type="datetime-local"
            required
            max={toField(Date.now())}
            defaultValue={toField(freeze ? Date.parse(freeze.before) : Date.now() - dayMs)}
          />
        </label>
      </div>
      <label>
        Reason, which each refusal shows
        <input
          ref={reason}
          type="text"
          maxLength={maxReasonLength}
          required
          defaultValue={freeze?.reason ?? ''}
        />
      </label>
    </MutationForm>
  );
};
