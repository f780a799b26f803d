import type { PackageId, PackageSelector } from '../../domain/packages/package-id.ts';
import { canonicalizeName } from '../../domain/packages/package-name.ts';
import type { MergedScan } from '../../domain/vulnerabilities/merged-scan.ts';
import {
  type ScanResult,
  toErrorScan,
  toScanResult,
} from '../../domain/vulnerabilities/scan-result.ts';
import { checkSubject, isPlainlyAnother } from '../../domain/vulnerabilities/subject.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { ScanReport } from '../../scanners/formats/read-report.ts';
import type { Skipped } from '../../scanners/formats/report-format.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import { selectForWrite } from '../../storage/packages/find-versions.ts';
import { takeFromQuota } from '../../storage/quotas/quotas.ts';
import { saveScan } from './keep-scan.ts';

interface Upload {
  readonly report: ScanReport;
  /** True to accept a report that is clearly about another package. */
  readonly force: boolean;
  readonly policy: ScanPolicy;
  /** True if the token may review, not only submit. */
  readonly mayReview: boolean;
  /** Daily limit of scans for all tokens of one label; 0 means no limit. */
  readonly scansPerDay: number;
}

const maxNamed = 5;

const describeSkipped = (skipped: readonly Skipped[]): string => {
  const named = skipped
    .slice(0, maxNamed)
    .map(({ name, why }) => (why ? `${name} (${why})` : name));
  const more = skipped.length - named.length;
  const others = more > 0 ? `, and ${more} more` : '';
  return `It is partial: it skipped ${named.join(', ')}${others}. Nothing is known of what it skipped.`;
};

/** Returns the scan result of a report. A report without findings that skipped the package itself is a scan error. */
const makeResult = (
  version: PackageId,
  { tools, findings, skipped }: ScanReport,
  judging: { readonly policy: ScanPolicy; readonly now: Date; readonly forced: boolean },
): ScanResult => {
  const whole = toScanResult(version, { tools, findings }, judging);
  if (skipped.length === 0) return whole;
  const { ecosystem } = version;
  const nameOf = (name: string): string => canonicalizeName(ecosystem, name);
  const itself = skipped.find(({ name }) => nameOf(name) === nameOf(version.name));
  if (itself && findings.length === 0) {
    const reason = `It skipped ${itself.name}, the package itself: ${itself.why || 'no reason given'}`;
    const broken = toErrorScan(version, { tool: '', reason }, judging.now);
    return { ...broken, tools_used: whole.tools_used };
  }
  // The package itself comes first, because the message names only some.
  const ordered = itself ? [itself, ...skipped.filter((one) => one !== itself)] : skipped;
  return toScanResult(version, { tools, findings, partial: describeSkipped(ordered) }, judging);
};

/** Saves the report of a scanner for the selected version, and returns the scan. */
export const uploadScan = async (
  selector: PackageSelector,
  { report, force, policy, mayReview, scansPerDay }: Upload,
  context: WriteContext<MergedScan>,
): Promise<MergedScan> => {
  const version = await selectForWrite(selector);
  if (!force) checkSubject(version, report.subjects);
  const forced = isPlainlyAnother(version, report.subjects);
  const result = makeResult(version, report, { policy, now: context.now, forced });
  await takeFromQuota({ name: 'scansPerDay', most: scansPerDay }, context);
  return saveScan(version, result, { ...context, policy, mayReview });
};
