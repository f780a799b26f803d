import { useState } from 'preact/hooks';
import type { Finding } from '../../../shared/use-cases/dependency-check/findings.ts';
import { StatusIcon } from '../../parts/status-marks.tsx';
import { FindingRow } from './finding-row.tsx';

/** The number of findings that each button press adds. */
const step = 100;

const Findings = ({ findings }: { readonly findings: readonly Finding[] }) => {
  const [most, setMost] = useState(step);
  const left = findings.length - most;
  return (
    <>
      <ul class="rows">
        {findings.slice(0, most).map((finding) => (
          <FindingRow
            key={`${finding.status} ${finding.ecosystem} ${finding.name} ${finding.version}`}
            finding={finding}
          />
        ))}
      </ul>
      {left > 0 && (
        <button type="button" onClick={() => setMost(most + step)}>
          Show {Math.min(left, step)} more of {format(left)}
        </button>
      )}
    </>
  );
};

const format = (count: number): string => count.toLocaleString('en');

/** Whether all versions may be used, and the findings. */
export const CheckResult = ({ findings }: { readonly findings: readonly Finding[] }) => {
  const refused = findings.filter(({ allowed }) => !allowed);
  const allowed = findings.filter(({ allowed }) => allowed);
  const isGood = refused.length === 0;
  if (findings.length === 0) {
    return <p class="check-result">These files have no package versions.</p>;
  }
  return (
    <>
      <p class={`check-result ${isGood ? 'good' : 'bad'}`} role="status">
        <StatusIcon tone={isGood ? 'good' : 'bad'} />
        {isGood
          ? `All ${format(findings.length)} may be used`
          : `${format(refused.length)} of ${format(findings.length)} may not be used`}
      </p>
      {refused.length > 0 && <Findings findings={refused} />}
      {allowed.length > 0 && (
        <details>
          <summary>{format(allowed.length)} may be used</summary>
          <Findings findings={allowed} />
        </details>
      )}
    </>
  );
};
