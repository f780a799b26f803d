import { useRef } from 'preact/hooks';
import type { LicenseRecord } from '../../../shared/api/schemas/license.ts';
import { licenseStatuses } from '../../../shared/domain/licenses/license-status.ts';
import { makeIdempotencyKey } from '../../api/client.ts';
import { MutationForm } from '../../parts/mutation-form.tsx';
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
  const submit = async (): Promise<void> => {
    const chosen = licenseStatuses.find((one) => one === status.current?.value) ?? null;
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
  };
  return (
    <MutationForm
      label="Decide on the license"
      field={status}
      submit={submit}
      cancel={close}
      action="Decide"
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
    </MutationForm>
  );
};
