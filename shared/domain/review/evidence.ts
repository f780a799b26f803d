import type { FactsSummary } from '../facts/summary.ts';
import type { LicenseEvidence } from '../licenses/effective-license.ts';
import type { ScanStatus } from '../vulnerabilities/scan-result.ts';
import type { FinishedScanOfSource, ScanSource } from '../vulnerabilities/scan-source.ts';
import type { MergedScanEvidence } from '../vulnerabilities/scan-summary.ts';
import type { SeverityCounts } from '../vulnerabilities/severity-counts.ts';
import type { ScanPolicy } from '../vulnerabilities/verdict.ts';
import { judgeCounts, judgePartial } from '../vulnerabilities/verdict.ts';

/** Scan as evidence of a decision. Its number identifies it later. */
export interface ScanEvidence {
  readonly number: number;
  readonly tools_used: readonly string[];
  /** Label of the uploading token. */
  readonly label: string | null;
  /** ISO 8601. */
  readonly scan_date: string;
  /** Status without regard to risk acceptances. */
  readonly status: ScanStatus;
  readonly severity: SeverityCounts;
}

/** Evidence of a decision. Scans never change, so all of it remains available. */
export interface Evidence {
  /** Latest finished scan of each scan source; empty if the version has no scan. */
  readonly scans: readonly ScanEvidence[];
  readonly merged_scan: MergedScanEvidence;
  readonly license: LicenseEvidence;
  /** Null if no upstream metadata had been fetched. */
  readonly facts: FactsSummary | null;
}

const evaluateFinished = (
  { severity, partial }: FinishedScanOfSource,
  policy: ScanPolicy,
): ScanStatus => {
  const verdict = judgeCounts(policy, severity);
  return partial === null ? verdict : judgePartial(verdict);
};

export const toScanEvidence = (
  sources: readonly ScanSource[],
  policy: ScanPolicy,
): ScanEvidence[] =>
  sources.flatMap(({ tools, label, finished }) =>
    finished
      ? [
          {
            number: finished.number,
            tools_used: tools,
            label,
            scan_date: finished.scan_date,
            status: evaluateFinished(finished, policy),
            severity: finished.severity,
          },
        ]
      : [],
  );
