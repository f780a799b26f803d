import type { VulnerabilityPage } from '../../../shared/api/schemas/vulnerability.ts';
import { formatAddress } from '../../address/address.ts';
import { SeverityLabel } from '../../parts/status-marks.tsx';
import { Line } from '../../parts/text.tsx';

/** The top vulnerabilities of approved versions, with links to all versions that have them. */
export const Vulnerabilities = ({
  worst,
}: {
  readonly worst: VulnerabilityPage['vulnerabilities'];
}) => {
  if (worst.length === 0) {
    return <p class="muted">No vulnerabilities found in approved packages.</p>;
  }
  return (
    <ul class="rows">
      {worst.map(({ id, severity, summary, versions: { approved }, known_exploited }) => (
        <li key={id}>
          <SeverityLabel severity={severity} />{' '}
          <a href={formatAddress({ view: 'vulnerability', query: { id } })}>
            <Line class="version" text={id} />
          </a>{' '}
          <span class="muted">
            in {approved.toLocaleString('en')} {approved === 1 ? 'version' : 'versions'}
            {known_exploited && ', known exploited'}
          </span>
          <p class="one-line muted">
            <Line text={summary} />
          </p>
        </li>
      ))}
    </ul>
  );
};
