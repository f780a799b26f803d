import type { Subject } from '../../domain/vulnerabilities/subject.ts';
import type { Finding } from '../../domain/vulnerabilities/vulnerability.ts';

/** A component that a scanner left out. */
export interface Skipped {
  readonly name: string;
  readonly why: string;
}

/** What a report says: the tools that wrote it, what they found, and in what, where it says that. */
export interface ReportContent {
  readonly tools: readonly string[];

  readonly subjects?: readonly Subject[];
  readonly findings: readonly Finding[];
  /** What the scanner left out, and why; nothing where it looked at everything. */
  readonly skipped?: readonly Skipped[];
  /** The name of the format that the command line read it from, where that sent what it had read. */
  readonly readFrom?: string;
}

/** One format that reports come in. */
export interface ReportFormat {
  /** The format, to complete the sentence "The body looks like …". */
  readonly title: string;
  /** The tools that are known by it, the one first that its reports are kept under. */
  readonly tools: readonly string[];
  /** Whether its reports say by which tools they are. Of other formats, each report is by the first of `tools`. */
  readonly namesTools?: true;
  /** Whether a body is meant to be of this format, well-formed or not. */
  readonly recognises: (body: Readonly<Record<string, unknown>>) => boolean;
  /** What the report says. Throws a 400 if it is malformed, says that the scan failed, or covers nothing. */
  readonly read: (body: unknown) => ReportContent;
}
