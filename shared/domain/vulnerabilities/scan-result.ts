import { measureAnswer } from '../answer-size.ts';
import { refuseInvalid } from '../errors.ts';
import type { PackageId } from '../packages/package-id.ts';
import { cleanLine } from './finding.ts';
import { mergeFindings } from './merge-vulnerabilities.ts';
import { limits } from './scan-limits.ts';
import type { Severity } from './severity.ts';
import { dropSurplusAliases } from './surplus-ids.ts';
import { judgeCounts, judgePartial, type ScanPolicy } from './verdict.ts';
import type { Finding, Vulnerability } from './vulnerability.ts';

export const scanStatuses = ['pending', 'passed', 'warning', 'failed', 'error'] as const;

/** How a scan went; `error` where a scanner broke, so that it says nothing about the version. */
export type ScanStatus = (typeof scanStatuses)[number];

/** The result of one scan of one version. The counters are derived from the vulnerabilities. */
export interface ScanResult {
  package: string;
  version: string;
  scan_date: string;
  status: ScanStatus;
  /** Why a scan has status `error`, or what one left out that finished; null for a whole one. */
  reason: string | null;
  vulnerabilities: Vulnerability[];
  severity: Record<Severity, number>;
  tools_used: string[];
  /** Whether its report is plainly about something else, and was kept all the same. */
  forced: boolean;
}

/** How many there are of each severity, of those that affect the version. */
const countBySeverity = (vulnerabilities: readonly Vulnerability[]): Record<Severity, number> => {
  const counts = { critical: 0, high: 0, medium: 0, low: 0, unrated: 0 };
  for (const { severity, not_affecting } of vulnerabilities) {
    if (!not_affecting) counts[severity] += 1;
  }
  return counts;
};

/** What a finished scan found. */
export interface FinishedScan {
  readonly tools: readonly string[];
  readonly findings: readonly Finding[];
  /** What the scanner left out, to be told to people; null or not given where it looked at everything. */
  readonly partial?: string | null;
}

/** Sorted and without repeats: the same tools are the same list, whatever order a report names them in. */
const listTools = (tools: readonly string[]): string[] =>
  [...new Set(tools.map((tool) => cleanLine(tool, limits.toolLength)))]
    .sort()
    .slice(0, limits.tools);

interface Judging {
  readonly policy: ScanPolicy;
  readonly now: Date;
  readonly forced?: boolean;
}

/** The result of a scan that finished: findings of one vulnerability merged, counters and status derived from them. */
export const toScanResult = (
  { name, version }: PackageId,
  { tools, findings, partial = null }: FinishedScan,
  { policy, now, forced = false }: Judging,
): ScanResult => {
  const vulnerabilities = dropSurplusAliases(mergeFindings(findings));
  const severity = countBySeverity(vulnerabilities);
  const verdict = judgeCounts(policy, severity);
  return {
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
 * Returns a scan with what the one before in its slot had found, where it left something out: it may have left out just
 * that. A whole scan stays as it is.
 * @throws {RegistryError} `body_too_large` if both together are more than one scan can hold
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
    'leaves something out, and says too much together with what the scan before it found; send a whole scan';
  throw refuseInvalid('body', message, 'body_too_large');
};

/** The result of a scan that broke. Its counters are zero because nothing was looked at, which `reason` says. */
export const toErrorScan = (
  { name, version }: PackageId,
  { tool, reason }: { readonly tool: string; readonly reason: string },
  now: Date,
): ScanResult => ({
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
