import { useState } from 'preact/hooks';
import type { VulnerabilityPage } from '../../../shared/api/schemas/vulnerability.ts';
import { formatAddress } from '../../address/address.ts';
import { useQuery } from '../../api/use-query.ts';
import { ErrorMessage, Skeleton } from '../../parts/placeholders.tsx';
import { SeverityLabel } from '../../parts/status-marks.tsx';
import { Line } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { useSession } from '../../session/session.ts';

type Vulnerability = VulnerabilityPage['vulnerabilities'][number];

/** The approved versions with a vulnerability. */
const Affected = ({ id }: { readonly id: string }) => {
  const { api } = useSession();
  const { value, error, isLoading, reload } = useQuery(id, (signal) =>
    api.showVulnerability({ path: { id }, query: { limit: 100 } }, { signal }),
  );
  if (error) return <ErrorMessage error={error} retry={reload} />;
  if (isLoading || !value) return <Skeleton lines={2} label="Loading the versions" />;
  const approved = value.packages.filter(({ status }) => status === 'approved');
  return (
    <ul class="rows">
      {approved.map(({ ecosystem, name, version, accepted_until }) => (
        <li key={`${ecosystem}/${name}/${version}`}>
          <a href={formatAddress({ view: 'packages', id: { ecosystem, name, version } })}>
            <Line text={name} /> <bdi class="version">{version}</bdi>
          </a>{' '}
          <span class="muted">{ecosystem}</span>
          {accepted_until !== null && (
            <span class="muted">
              {' '}
              risk accepted, expires on <Time at={accepted_until} as="day" />
            </span>
          )}
        </li>
      ))}
      {value.next !== null && <li class="muted">and more</li>}
    </ul>
  );
};

const VulnerabilityRow = ({ vulnerability }: { readonly vulnerability: Vulnerability }) => {
  const { id, severity, summary, versions, known_exploited } = vulnerability;
  const [isOpen, setOpen] = useState(false);
  const { approved } = versions;
  return (
    <li>
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <SeverityLabel severity={severity} /> <bdi class="version">{id}</bdi>{' '}
          <span class="muted">
            in {approved.toLocaleString('en')} {approved === 1 ? 'version' : 'versions'}
            {known_exploited && ', known exploited'}
          </span>
        </summary>
        <p>
          <Line text={summary} />
        </p>
        {isOpen && <Affected id={id} />}
      </details>
    </li>
  );
};

/** The top vulnerabilities of approved versions. */
export const Vulnerabilities = ({ worst }: { readonly worst: readonly Vulnerability[] }) => {
  if (worst.length === 0) {
    return <p class="muted">No vulnerabilities found in approved packages.</p>;
  }
  return (
    <ul class="rows">
      {worst.map((vulnerability) => (
        <VulnerabilityRow key={vulnerability.id} vulnerability={vulnerability} />
      ))}
    </ul>
  );
};
