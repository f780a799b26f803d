import { useRef } from 'preact/hooks';
import { dayMs } from '../../shared/util/duration.ts';
import { makeIdempotencyKey } from '../api/client.ts';
import { MutationForm } from '../parts/mutation-form.tsx';
import { useSession } from '../session/session.ts';
import { noteAcceptanceChange } from '../state/acceptance-changes.ts';
import { announce } from '../state/announcements.ts';
import { everywhere, type OfferedScope } from './acceptance-scopes.ts';

const defaultDays = 90;

const toDay = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

interface AcceptanceFormProps {
  /** The scopes to choose from. The first one is the default. */
  readonly scopes: readonly OfferedScope[];
  /** The ID of the vulnerability. */
  readonly vulnerability: string;
  readonly done: () => void;
  readonly cancel: () => void;
}

/** The form that accepts the risk of a vulnerability: reason, expiry date and scope. */
export const AcceptanceForm = ({ scopes, vulnerability, done, cancel }: AcceptanceFormProps) => {
  const { api } = useSession();
  const reason = useRef<HTMLTextAreaElement>(null);
  const submit = async (form: HTMLFormElement): Promise<void> => {
    const given = new FormData(form);
    const read = (field: string): string => String(given.get(field) ?? '');
    const { scope } = scopes[Number(read('scope'))] ?? everywhere;
    const { affects } = await api.acceptVulnerability(
      {
        path: { id: vulnerability },
        body: {
          reason: read('reason'),
          expires_at: `${read('until')}T00:00:00Z`,
          ...scope,
        },
      },
      { idempotencyKey: makeIdempotencyKey() },
    );
    const versions = `${affects} ${affects === 1 ? 'version' : 'versions'}`;
    if (scope.version !== undefined) announce(`Risk of ${vulnerability} accepted in this version`);
    else {
      noteAcceptanceChange(vulnerability, 'accepted');
      announce(`Risk of ${vulnerability} accepted in ${versions}: takes effect within minutes`);
    }
    done();
  };
  return (
    <MutationForm
      label={`Accept the risk of ${vulnerability}`}
      field={reason}
      submit={submit}
      cancel={cancel}
      action={
        <>
          Accept risk <kbd>Enter</kbd>
        </>
      }
    >
      <label>
        Why do you accept the risk?
        <textarea ref={reason} name="reason" rows={2} maxLength={2000} required />
      </label>
      <div class="fields">
        <label>
          Expires on
          <input
            type="date"
            name="until"
            required
            min={toDay(Date.now() + dayMs)}
            defaultValue={toDay(Date.now() + defaultDays * dayMs)}
          />
        </label>
        <label>
          Applies
          <select name="scope">
            {scopes.map(({ label }, at) => (
              <option key={label} value={String(at)}>
                {label}
              </option>
            ))}
          </select>
        </label>
      </div>
    </MutationForm>
  );
};
