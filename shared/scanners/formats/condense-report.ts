import { refuseInvalid } from '../../domain/errors.ts';
import type { Vulnerability } from '../../domain/vulnerabilities/vulnerability.ts';
import { fitsAnswer, readWholeReport, type WholeReport } from './read-report.ts';

/** A report as the registry takes it at any length: a `CondensedReport`. */
interface Condensed {
  readonly report: WholeReport & { registry_report: 1 };
  /** Whether summaries and references were left out, because with them it would not fit. */
  readonly isShortened: boolean;
}

/** What is there for reading only goes: no counter and no status follows from it. */
const dropProse = (finding: Vulnerability): Vulnerability => ({
  ...finding,
  summary: '',
  references: [],
});

/**
 * Reads a report and puts what it says into at most that many bytes of JSON. Throws the 400 of `readReport` for a report
 * that cannot be read, or that says too much.
 */
export const condenseReport = (body: unknown, maxBytes: number): Condensed => {
  const whole = { registry_report: 1 as const, ...readWholeReport(body) };
  const fits = (report: WholeReport): boolean =>
    Buffer.byteLength(JSON.stringify(report)) <= maxBytes && fitsAnswer(report.findings);
  if (fits(whole)) return { report: whole, isShortened: false };
  const short = { ...whole, findings: whole.findings.map(dropProse) };
  if (fits(short)) return { report: short, isShortened: true };
  throw refuseInvalid(
    'body',
    `says too much, even without summaries and references: its ${whole.findings.length} vulnerabilities do not fit into ${maxBytes} bytes; have the scanner report the worse ones alone (such as trivy --severity HIGH,CRITICAL), or look at fewer components`,
    'body_too_large',
  );
};
