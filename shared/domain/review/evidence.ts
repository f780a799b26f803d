import type { FactsSummary } from '../facts/summary.ts';
import type { LicenseEvidence } from '../licenses/effective-license.ts';
import type { ScanStatus } from '../vulnerabilities/scan-result.ts';
import type { FinishedScanOfSlot, SeverityCounts, Slot } from '../vulnerabilities/scan-source.ts';
import type { PictureEvidence } from '../vulnerabilities/scan-summary.ts';
import type { ScanPolicy } from '../vulnerabilities/verdict.ts';
import { judgeCounts, judgePartial } from '../vulnerabilities/verdict.ts';

/** What a scan says for or against a version, and its number, by which it can be read later. */
export interface ScanEvidence {
  readonly number: number;
  readonly tools_used: readonly string[];
  /** The label of the token that it was sent with. */
  readonly label: string | null;
  /** ISO 8601. */
  readonly scan_date: string;
  /** What it comes to by itself, whatever was accepted. */
  readonly status: ScanStatus;
  readonly severity: SeverityCounts;
}

/** What a decision stood on. Scans never change, so that all of it can be read later. */
export interface Evidence {
  /** The latest scan of each tool that says anything; none where the version was never scanned. */
  readonly scans: readonly ScanEvidence[];
  readonly picture: PictureEvidence;
  readonly license: LicenseEvidence;
  /** Null where the origin was not asked by then. */
  readonly facts: FactsSummary | null;
}

const judgeFinished = (
  { severity, partial }: FinishedScanOfSlot,
  policy: ScanPolicy,
): ScanStatus => {
  const verdict = judgeCounts(policy, severity);
  return partial === null ? verdict : judgePartial(verdict);
};

export const toScanEvidence = (slots: readonly Slot[], policy: ScanPolicy): ScanEvidence[] =>
  slots.flatMap(({ tools, label, finished }) =>
    finished
      ? [
          {
            number: finished.number,
            tools_used: tools,
            label,
            scan_date: finished.scan_date,
            status: judgeFinished(finished, policy),
            severity: finished.severity,
          },
        ]
      : [],
  );
