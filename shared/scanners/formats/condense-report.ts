import { refuseInvalid } from '../../domain/errors.ts';
import type { Vulnerability } from '../../domain/vulnerabilities/vulnerability.ts';
import { fitsAnswer, readWholeReport, type WholeReport } from './read-report.ts';

/** Condensed report, which has no maximum size of the original. */
interface Condensed {
  readonly report: WholeReport & { registry_report: 1 };
  /** True if summaries and references were removed to make it fit. */
  readonly isShortened: boolean;
}

/** Removes fields that are for display only and affect no counter or status. */
const dropProse = (finding: Vulnerability): Vulnerability => ({
  ...finding,
  summary: '',
  references: [],
});

/**
 * Condenses a report to at most `maxBytes` of JSON.
 * @throws {RegistryError} 400 as in `readReport`, or if the condensed report is too large
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
    `is too large, even without summaries and references: its ${whole.findings.length} vulnerabilities do not fit into ${maxBytes} bytes; configure the scanner to report only the worst (such as trivy --severity HIGH,CRITICAL), or look at fewer components`,
    'body_too_large',
  );
};
