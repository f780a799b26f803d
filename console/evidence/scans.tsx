import { useState } from 'preact/hooks';
import type { VersionEvidence } from '../../shared/api/schemas/evidence.ts';
import type { VersionId } from '../address/version-id.ts';
import { describeScan, StatusIcon, toScanTone } from '../parts/status-marks.tsx';
import { Line, Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { Section } from './section.tsx';
import { VulnerabilityItem } from './vulnerability.tsx';

type Scan = NonNullable<VersionEvidence['scan']>;
type Tool = Scan['tools'][number];

const shownFirst = 8;

const ToolLine = ({
  tool: { tool, label, scan_date, confirmed_at, status, reason },
}: {
  readonly tool: Tool;
}) => (
  <li>
    <Line text={tool} />
    {label !== null && (
      <span class="muted">
        {' '}
        uploaded by <Line text={label} />
      </span>
    )}{' '}
    <Time at={confirmed_at ?? scan_date} />
    {status === 'error' && (
      <span class="status-label warn">
        {' '}
        <StatusIcon tone="warn" /> Last scan error: <Text text={reason ?? 'unknown reason'} />
      </span>
    )}
    {status !== 'error' && reason !== null && (
      <span class="status-label warn">
        {' '}
        <StatusIcon tone="warn" /> <Text text={reason} />
      </span>
    )}
  </li>
);

/** The order of vulnerabilities: open ones, then accepted ones, then those that do not affect the package. */
const order = ({ accepted, not_affecting }: Scan['vulnerabilities'][number]): number =>
  (accepted ? 1 : 0) + (not_affecting ? 2 : 0);

type Vulnerability = Scan['vulnerabilities'][number];

const toVulnerabilityKey = ({ id, components }: Vulnerability): string =>
  `${id} ${components.join()}`;

/** Returns the vulnerabilities with an open form, which stay in the list, and a function that changes them. */
const useOpenForms = () => {
  const [held, setHeld] = useState<ReadonlyMap<string, Vulnerability>>(new Map());
  const hold = (vulnerability: Vulnerability, isHeld: boolean): void =>
    setHeld((before) => {
      const after = new Map(before);
      if (isHeld) after.set(toVulnerabilityKey(vulnerability), vulnerability);
      else after.delete(toVulnerabilityKey(vulnerability));
      return after;
    });
  return { held, hold };
};

interface ScansProps {
  readonly id: VersionId;
  readonly scan: Scan | null;
  readonly reload: () => void;
}

/** The vulnerabilities that scanners found, and which risks are accepted. */
export const Scans = ({ id, scan, reload }: ScansProps) => {
  const [isExpanded, setExpanded] = useState(false);
  const { held, hold } = useOpenForms();
  if (!scan && held.size === 0) {
    return (
      <Section title="Scans" id="scans">
        <p class="muted">
          Not scanned yet. Upload scan reports with <code>registry scan upload</code>.
          {id.ecosystem !== 'docker' && ' The registry also checks OSV.dev on its own.'}
        </p>
      </Section>
    );
  }
  const found = scan?.vulnerabilities ?? [];
  const sorted = [...found].sort((one, other) => order(one) - order(other));
  const foundKeys = new Set(found.map(toVulnerabilityKey));
  const gone = [...held].flatMap(([key, one]) => (foundKeys.has(key) ? [] : [one]));
  const shown = [
    ...gone,
    ...sorted.filter(
      (one, at) => isExpanded || at < shownFirst || held.has(toVulnerabilityKey(one)),
    ),
  ];
  return (
    <Section title="Scans" id="scans">
      <p class={`status-label ${toScanTone(scan)}`}>
        <StatusIcon tone={toScanTone(scan)} /> {describeScan(scan)}
      </p>
      <ul class="scan-tools">
        {scan?.tools.map((tool) => (
          <ToolLine key={`${tool.tool} ${tool.label} ${tool.number}`} tool={tool} />
        ))}
      </ul>
      {shown.length > 0 && (
        <ul class="vulnerabilities">
          {shown.map((vulnerability) => (
            <VulnerabilityItem
              key={toVulnerabilityKey(vulnerability)}
              id={id}
              vulnerability={vulnerability}
              isGone={gone.includes(vulnerability)}
              hold={(isHeld) => hold(vulnerability, isHeld)}
              reload={reload}
            />
          ))}
        </ul>
      )}
      {sorted.length > shownFirst && !isExpanded && (
        <button type="button" onClick={() => setExpanded(true)}>
          Show all {sorted.length}
        </button>
      )}
      {scan && scan.omitted > 0 && (
        <p class="muted">
          {scan.omitted} more are not shown, because the answer of the registry is limited.
        </p>
      )}
    </Section>
  );
};
