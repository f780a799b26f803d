import { useState } from 'preact/hooks';
import type { VersionEvidence } from '../../shared/schemas/evidence.ts';
import type { VersionId } from '../address/address.ts';
import { describeScan, Mark, toScanTone } from '../parts/marks.tsx';
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
      <span class="aside">
        {' '}
        by <Line text={label} />
      </span>
    )}{' '}
    <Time at={confirmed_at ?? scan_date} />
    {status === 'error' && (
      <span class="word warn">
        {' '}
        <Mark tone="warn" /> its newest scan broke: <Text text={reason ?? 'nobody knows why'} />
      </span>
    )}
    {status !== 'error' && reason !== null && (
      <span class="word warn">
        {' '}
        <Mark tone="warn" /> <Text text={reason} />
      </span>
    )}
  </li>
);

/** What scans found: what counts, then what is lived with and what does no harm. */
const order = ({ accepted, not_affecting }: Scan['vulnerabilities'][number]): number =>
  (accepted ? 1 : 0) + (not_affecting ? 2 : 0);

interface ScansProps {
  readonly id: VersionId;
  readonly scan: Scan | null;
  readonly reload: () => void;
}

/** What all tools found, and what is lived with. */
export const Scans = ({ id, scan, reload }: ScansProps) => {
  const [isWhole, setWhole] = useState(false);
  if (!scan) {
    return (
      <Section title="Scans" id="scans">
        <p class="aside">
          It was never scanned. Scanners send their reports by <code>registry scan upload</code>,
          and the registry asks OSV.dev by itself.
        </p>
      </Section>
    );
  }
  const sorted = [...scan.vulnerabilities].sort((one, other) => order(one) - order(other));
  const shown = isWhole ? sorted : sorted.slice(0, shownFirst);
  return (
    <Section title="Scans" id="scans">
      <p class={`word ${toScanTone(scan)}`}>
        <Mark tone={toScanTone(scan)} /> {describeScan(scan)}
      </p>
      <ul class="tools">
        {scan.tools.map((tool) => (
          <ToolLine key={`${tool.tool} ${tool.label} ${tool.number}`} tool={tool} />
        ))}
      </ul>
      {shown.length > 0 && (
        <ul class="vulnerabilities">
          {shown.map((vulnerability) => (
            <VulnerabilityItem
              key={`${vulnerability.id} ${vulnerability.components.join()}`}
              id={id}
              vulnerability={vulnerability}
              reload={reload}
            />
          ))}
        </ul>
      )}
      {sorted.length > shown.length && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all {sorted.length}
        </button>
      )}
      {scan.omitted > 0 && (
        <p class="aside">{scan.omitted} more do not fit into one answer of the registry.</p>
      )}
    </Section>
  );
};
