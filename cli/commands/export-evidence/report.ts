import type { Acceptance } from '../../../shared/api/schemas/acceptance.ts';
import type { VersionEvidence } from '../../../shared/api/schemas/evidence.ts';
import type { HistoryEntry } from '../../../shared/api/schemas/history.ts';
import type { LicenseRecord } from '../../../shared/api/schemas/license.ts';
import type { ScanResult } from '../../../shared/api/schemas/scan.ts';

/** The name of the format, with the number that changes with its fields. */
export const reportFormat = 'package-registry-evidence-report@1';

/** A part of a report that is missing or incomplete. */
export interface Gap {
  readonly part: string;
  /** Why, in one sentence. */
  readonly message: string;
}

/** The answers of a registry about one version, for an auditor. */
export interface EvidenceReport {
  readonly format: typeof reportFormat;
  /** ISO 8601. */
  readonly exported_at: string;
  readonly registry: {
    readonly url: string;
    /** The page of the version in the console. */
    readonly console: string;
    /** Null if the registry did not answer. */
    readonly version: string | null;
  };
  readonly evidence: VersionEvidence;
  /** The history of the version, newest first. */
  readonly history: readonly HistoryEntry[];
  /** The scans of the last approval, with the findings at that time. */
  readonly scans_of_approval: readonly ScanResult[];
  /** Active and ended acceptances that apply to the version, newest first. */
  readonly acceptances: readonly Acceptance[];
  /** The record of the effective license; null without one. */
  readonly license: LicenseRecord | null;
  readonly gaps: readonly Gap[];
}
