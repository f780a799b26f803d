import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { measureAnswer } from '../answer-size.ts';
import { refuseInvalid } from '../errors.ts';
import type { PackageId } from '../packages/package-id.ts';
import { cleanLine } from './finding.ts';
import { mergeVulnerabilities } from './merge-vulnerabilities.ts';
import { limits } from './scan-limits.ts';
import type { Severity } from './severity.ts';
import { dropSurplusAliases } from './surplus-ids.ts';
import { judgeCounts, judgePartial, type ScanPolicy } from './verdict.ts';
import type { Finding, Vulnerability } from './vulnerability.ts';

export const scanStatuses = ['pending', 'passed', 'warning', 'failed', 'error'] as const;

/** Status of a scan. `error`: the scanner failed, so the scan says nothing about the version. */
export type ScanStatus = (typeof scanStatuses)[number];

/** Result of one scan of one version. Counters are derived from the vulnerabilities. */
export interface ScanResult {
  ecosystem: Ecosystem;
  package: string;
  version: string;
  scan_date: string;
  status: ScanStatus;
  /** Error of a scan with status `error`, or what a partial scan skipped; null for a complete scan. */
  reason: string | null;
  vulnerabilities: Vulnerability[];
  severity: Record<Severity, number>;
  tools_used: string[];
  /** True if the report is about something else, and was uploaded with force. */
  forced: boolean;
}

/** Returns the number of vulnerabilities of each severity that affect the version. */
const countBySeverity = (vulnerabilities: readonly Vulnerability[]): Record<Severity, number> => {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 };
  for (const { severity, not_affecting } of vulnerabilities) {
    if (!not_affecting) counts[severity] += 1;
  }
  return counts;
};

/** Tools and findings of a finished scan. */
export interface FinishedScan {
  readonly tools: readonly string[];
  readonly findings: readonly Finding[];
  /** What the scanner skipped, for people; null or undefined for a complete scan. */
  readonly partial?: string | null;
}

/** Returns tools sorted and without duplicates, so that their order in a report does not matter. */
const listTools = (tools: readonly string[]): string[] =>
  [...new Set(tools.map((tool) => cleanLine(tool, limits.toolLength)))]
    .sort()
    .slice(0, limits.tools);

interface Judging {
  readonly policy: ScanPolicy;
  readonly now: Date;
  readonly forced?: boolean;
}

/** Returns the result of a finished scan: merged findings with derived counters and status. */
export const toScanResult = (
  { ecosystem, name, version }: PackageId,
  { tools, findings, partial = null }: FinishedScan,
  { policy, now, forced = false }: Judging,
): ScanResult => {
  const vulnerabilities = dropSurplusAliases(mergeVulnerabilities(findings));
  const severity = countBySeverity(vulnerabilities);
  const verdict = judgeCounts(policy, severity);
  return {
    ecosystem,
    package: name,
    version,
    scan_date: now.toISOString(),
    status: partial === null ? verdict : judgePartial(verdict),
    reason: partial === null ? null : cleanLine(partial, limits.reasonLength),
    vulnerabilities,
    severity,
    tools_used: listTools(tools),
    forced,
  };
};

/**
 * Returns a partial scan together with the earlier findings of its scan source, since it may have skipped just these. A
 * complete scan is returned unchanged.
 */
export const keepEarlier = (
  id: PackageId,
  result: ScanResult,
  { earlier, policy }: { readonly earlier: readonly Vulnerability[]; readonly policy: ScanPolicy },
): ScanResult => {
  if (result.status === 'error' || result.reason === null || earlier.length === 0) return result;
  const { tools_used: tools, scan_date, forced, reason: partial } = result;
  const findings = [...result.vulnerabilities, ...earlier];
  const now = new Date(scan_date);
  const both = toScanResult(id, { tools, findings, partial }, { policy, now, forced });
  const { vulnerabilities } = both;
  const bytes = measureAnswer(vulnerabilities);
  if (vulnerabilities.length <= limits.findings && bytes <= limits.resultBytes) return both;
  const message =
    'is a partial scan, and is too large together with the findings of the earlier scan; send a complete scan';
  throw refuseInvalid('body', message, 'body_too_large');
};

/** Returns the result of a failed scan. All counters are zero, and `reason` contains the error. */
export const toErrorScan = (
  { ecosystem, name, version }: PackageId,
  { tool, reason }: { readonly tool: string; readonly reason: string },
  now: Date,
): ScanResult => ({
  ecosystem,
  package: name,
  version,
  scan_date: now.toISOString(),
  status: 'error',
  reason: cleanLine(reason, limits.reasonLength),
  vulnerabilities: [],
  severity: countBySeverity([]),
  tools_used: listTools([tool]),
  forced: false,
});
