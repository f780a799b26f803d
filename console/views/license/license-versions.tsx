import { useState } from 'preact/hooks';
import { type Status, statuses } from '../../../shared/domain/review/status.ts';
import { formatAddress } from '../../address/address.ts';
import { toKey } from '../../address/version-id.ts';
import { ErrorMessage, Skeleton } from '../../parts/placeholders.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { StatusLabel } from '../../parts/status-marks.tsx';
import { Line } from '../../parts/text.tsx';
import { useLivePages } from '../../parts/use-live-pages.ts';
import { useSession } from '../../session/session.ts';

/** The versions that state a license, as submitted or upstream, with a filter by status. */
export const LicenseVersions = ({ name }: { readonly name: string }) => {
  const { api } = useSession();
  const [status, setStatus] = useState<Status>();
  const { pages, error, reload, isLoading, showMore } = useLivePages(
    `${name} ${status}`,
    (after, signal) =>
      api.listLicenseVersions(
        { path: { name }, query: { ...(status && { status }), ...(after && { after }) } },
        { signal },
      ),
  );
  const versions = pages.flatMap(({ packages }) => packages);
  return (
    <>
      <h3>Versions</h3>
      <p>
        <label>
          Status{' '}
          <select
            onChange={({ currentTarget }) =>
              setStatus(statuses.find((one) => one === currentTarget.value))
            }
          >
            <option value="">any</option>
            {statuses.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      </p>
      {error && <ErrorMessage error={error} retry={reload} />}
      {pages.length === 0 && !error && <Skeleton lines={3} label="Loading the versions" />}
      {pages.length > 0 && versions.length === 0 && (
        <p class="muted">No version states this license.</p>
      )}
      <ul class="rows">
        {versions.map((one) => (
          <li key={toKey(one)}>
            <a href={formatAddress({ view: 'packages', id: one })}>
              <Line text={one.name} /> <Line class="version" text={one.version} />
            </a>{' '}
            <StatusLabel status={one.status} /> <span class="muted">{one.ecosystem}</span>
          </li>
        ))}
      </ul>
      <ShowMore {...{ showMore, isLoading }} />
    </>
  );
};
