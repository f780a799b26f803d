import { useRef } from 'preact/hooks';
import type { VersionId } from '../address/address.ts';
import { makeIdempotencyKey } from '../api/client.ts';
import { useMutation } from '../api/use-mutation.ts';
import { FormActions } from '../parts/form-actions.tsx';
import { formKeys } from '../parts/form-keys.ts';
import { ErrorMessage } from '../parts/placeholders.tsx';
import { useFocusRestore } from '../parts/use-focus-restore.ts';
import { useSession } from '../session/session.ts';
import { noteAcceptanceChange } from '../state/acceptance-changes.ts';
import { announce } from '../state/announcements.ts';

const dayMs = 24 * 60 * 60_000;
const usualDays = 90;

const toDay = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

const places = {
  version: 'in this version',
  package: 'in all versions of this package',
  ecosystem: 'in all packages of the ecosystem',
  everywhere: 'everywhere',
} as const;

type Place = keyof typeof places;

/** Where it is to hold, as the registry takes it. */
const toScope = (place: string, { ecosystem, name, version }: VersionId) => {
  if (place === 'version') return { ecosystem, name, version };
  if (place === 'package') return { ecosystem, name };
  return place === 'ecosystem' ? { ecosystem } : {};
};

interface AcceptanceFormProps {
  readonly id: VersionId;
  /** Its id. */
  readonly vulnerability: string;
  readonly done: () => void;
  readonly cancel: () => void;
}

/** Asks why the risk of a vulnerability can be accepted, where, and until when. */
export const AcceptanceForm = ({ id, vulnerability, done, cancel }: AcceptanceFormProps) => {
  const { api } = useSession();
  const form = useRef<HTMLFormElement>(null);
  const reason = useRef<HTMLTextAreaElement>(null);
  const { isSending, error, send } = useMutation();
  useFocusRestore(reason);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!form.current) return;
    const given = new FormData(form.current);
    const read = (field: string): string => String(given.get(field) ?? '');
    const place = read('place');
    send(async () => {
      const { affects } = await api.acceptVulnerability(
        {
          path: { id: vulnerability },
          body: {
            reason: read('reason'),
            expires_at: `${read('until')}T00:00:00Z`,
            ...toScope(place, id),
          },
        },
        { idempotencyKey: makeIdempotencyKey() },
      );
      const versions = `${affects} ${affects === 1 ? 'version' : 'versions'}`;
      if (place === 'version') announce(`Risk of ${vulnerability} accepted in this version`);
      else {
        noteAcceptanceChange(vulnerability, 'accepted');
        announce(`Risk of ${vulnerability} accepted in ${versions}: takes effect within minutes`);
      }
      done();
    });
  };
  return (
    <form
      ref={form}
      class="decision-form"
      onSubmit={submit}
      onKeyDown={formKeys(cancel)}
      aria-label={`Accept the risk of ${vulnerability}`}
    >
      <label>
        Why can the risk be accepted?
        <textarea ref={reason} name="reason" rows={2} maxLength={2000} required />
      </label>
      <div class="fields">
        <label>
          Until
          <input
            type="date"
            name="until"
            required
            min={toDay(Date.now() + dayMs)}
            defaultValue={toDay(Date.now() + usualDays * dayMs)}
          />
        </label>
        <label>
          Where
          <select name="place">
            {Object.entries(places).map(([place, meaning]: [string, (typeof places)[Place]]) => (
              <option key={place} value={place}>
                {meaning}
              </option>
            ))}
          </select>
        </label>
      </div>
      {error && <ErrorMessage error={error} />}
      <FormActions isSending={isSending} cancel={cancel}>
        Accept risk <kbd>Enter</kbd>
      </FormActions>
    </form>
  );
};
