import { useRef } from 'preact/hooks';
import type { LicenseRecord } from '../../../shared/api/schemas/license.ts';
import { licenseStatuses } from '../../../shared/domain/licenses/license-status.ts';
import { makeIdempotencyKey } from '../../api/client.ts';
import { useMutation } from '../../api/use-mutation.ts';
import { FormActions } from '../../parts/form-actions.tsx';
import { formKeys } from '../../parts/form-keys.ts';
import { ErrorMessage } from '../../parts/placeholders.tsx';
import { useFocusRestore } from '../../parts/use-focus-restore.ts';
import { useSession } from '../../session/session.ts';
import { announce } from '../../state/announcements.ts';
import { refreshLists } from '../../state/list-refresh.ts';

interface LicenseFormProps {
  readonly license: LicenseRecord;
  readonly close: () => void;
}

/** Returns the terms of a license of the organisation's own, which a decision on it repeats; nothing for a license of SPDX. */
const keepOwnTerms = ({ normalized, ...license }: LicenseRecord) => {
  if (normalized !== null) return {};
  const { category, title, url, requires_attribution, allows_commercial } = license;
  const lists = {
    compatible_with: [...license.compatible_with],
    incompatible_with: [...license.incompatible_with],
  };
  return { category, title, url, requires_attribution, allows_commercial, ...lists };
};

/** The form that decides on a license. Rules then evaluate pending versions again. */
export const LicenseForm = ({ license, close }: LicenseFormProps) => {
  const { api } = useSession();
  const status = useRef<HTMLSelectElement>(null);
  const note = useRef<HTMLTextAreaElement>(null);
  const { isSending, error, send } = useMutation();
  useFocusRestore(status);
  const submit = (event: Event): void => {
    event.preventDefault();
    const chosen = licenseStatuses.find((one) => one === status.current?.value) ?? null;
    send(async () => {
      await api.setLicense(
        {
          path: { name: license.name },
          body: {
            ...keepOwnTerms(license),
            ...{ status: chosen, note: note.current?.value || undefined },
          },
        },
        { idempotencyKey: makeIdempotencyKey() },
      );
      announce(`The license ${license.name} is decided`);
      refreshLists();
      close();
    });
  };
  return (
    <form
      class="decision-form"
      onSubmit={submit}
      onKeyDown={formKeys(close)}
      aria-label="Decide on the license"
    >
      <label>
        Status of the license
        <select ref={status} name="status">
          {licenseStatuses.map((one) => (
            <option key={one} value={one} selected={one === license.status}>
              {one}
            </option>
          ))}
          <option value="">as the license policy says</option>
        </select>
      </label>
      <label>
        Note
        <textarea ref={note} name="note" rows={2} maxLength={2000} />
      </label>
      {error && <ErrorMessage error={error} />}
      <FormActions isSending={isSending} cancel={close}>
        Decide
      </FormActions>
    </form>
  );
};
