import type { Acceptance } from '../../../shared/api/schemas/acceptance.ts';
import type { Attestation } from '../../../shared/api/schemas/attestation.ts';
import type { VersionEvidence } from '../../../shared/api/schemas/evidence.ts';
import type { HistoryEntry } from '../../../shared/api/schemas/history.ts';
import type { LicenseRecord } from '../../../shared/api/schemas/license.ts';
import type { ScanResult } from '../../../shared/api/schemas/scan.ts';

/** The name of the format, with the number that changes with its fields. */
export const reportFormat = 'package-registry-evidence-report@1';

/** The name of the history among the gaps of a report. */
export const historyPart = 'history';

/** A part of a report that is missing or incomplete. */
export interface Gap {
  readonly part: string;
  /** Why, in one sentence. */
  readonly message: string;
}

/** Codes with which a registry refuses an attestation that does not exist. */
export const unsignedReasons = [
  'decision_not_found',
  'not_signed_yet',
  'signing_disabled',
] as const;

/** The signed statement of the decision in force, or why there is none. */
export interface ReportAttestation {
  /** As `registry verify` reads it; null without one. */
  readonly envelope: Attestation | null;
  /** Null with an envelope. */
  readonly missing: (typeof unsignedReasons)[number] | 'not_loaded' | null;
}

/** A project that uses the version, and the branches and tags that do. */
interface UsingProject {
  readonly project: string;
  readonly owner: string | null;
  readonly refs: readonly string[];
}

/** The projects that use the version, or why they are not known. */
export interface ReportUsers {
  readonly list: {
    readonly projects: number;
    /** True if there are more. */
    readonly projects_at_least: boolean;
    /** The first projects by name, at most 25. */
    readonly first: readonly UsingProject[];
  } | null;
  /** Null with a list. */
  readonly missing: 'token_required' | 'not_loaded' | null;
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
  readonly attestation: ReportAttestation;
  readonly used_by: ReportUsers;
  readonly gaps: readonly Gap[];
}
