import type { Subject } from '../../domain/vulnerabilities/subject.ts';
import type { Finding } from '../../domain/vulnerabilities/vulnerability.ts';

/** Component that a scanner skipped, with the reason. */
export interface Skipped {
  readonly name: string;
  readonly why: string;
}

/** Parsed report: tools, scanned objects if it names them, and findings. */
export interface ReportContent {
  readonly tools: readonly string[];

  readonly subjects?: readonly Subject[];
  readonly findings: readonly Finding[];
  /** Skipped components; empty for a complete scan. */
  readonly skipped?: readonly Skipped[];
  /** Original format of a report that the command line condensed. */
  readonly readFrom?: string;
}

/** Supported format of scan reports. */
export interface ReportFormat {
  /** Description of the format, to complete the sentence "The body looks like …". */
  readonly title: string;
  /** Tools whose reports have this format. Reports are stored under the first one. */
  readonly tools: readonly string[];
  /** True if reports name their tools. Reports of other formats belong to the first of `tools`. */
  readonly namesTools?: true;
  /** True if a body is apparently in this format, well-formed or not. */
  readonly recognises: (body: Readonly<Record<string, unknown>>) => boolean;
  /**
   * Parses a report.
   * @throws {RegistryError} 400 if it is malformed, states that the scan failed, or covers nothing
   */
  readonly read: (body: unknown) => ReportContent;
}
