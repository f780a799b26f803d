import type { LicenseStatus } from './licenses/status.ts';
import type { ScanResult } from './scans/scan-result.ts';

/** What a scan says for or against a version, and its number, by which it can be read later. */
export interface ScanEvidence
  extends Pick<ScanResult, 'tools_used' | 'scan_date' | 'status' | 'severity'> {
  readonly number: number;
}

/** What a version claims of its license, how that reads, and what the organisation thinks of it. */
export interface LicenseEvidence {
  readonly claimed: string;
  readonly reading: string | null;
  readonly status: LicenseStatus;
}

/** What a decision stood on. Scans never change, so that all of it can be read later. */
export interface Evidence {
  /** The latest scan that says anything; none where the version was never scanned. */
  readonly scans: readonly ScanEvidence[];
  /** Null where the version names no license. */
  readonly license: LicenseEvidence | null;
}

export const toScanEvidence = (
  { tools_used, scan_date, status, severity }: ScanResult,
  number: number,
): ScanEvidence => ({ number, tools_used, scan_date, status, severity });
