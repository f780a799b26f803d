import type { PackageSelector } from '../domain/package-id.ts';
import type { ScanPolicy } from '../domain/scans/judge.ts';
import type { Picture } from '../domain/scans/picture.ts';
import { toScanResult } from '../domain/scans/scan-result.ts';
import { checkSubject, isPlainlyAnother } from '../domain/scans/subject.ts';
import type { ScanReport } from '../scan-reports/read-report.ts';
import { selectForWrite } from '../store/packages/find-versions.ts';
import type { WriteContext } from '../store/write-context.ts';
import { keepScan } from './keep-scan.ts';

interface Upload {
  readonly report: ScanReport;
  /** Whether to keep a report that is plainly about something else. */
  readonly force: boolean;
  readonly policy: ScanPolicy;
  /** Whether the token may review, and not only submit. */
  readonly mayReview: boolean;
}

/** Keeps what a scanner reported of the version that the selector means. */
export const uploadScan = async (
  selector: PackageSelector,
  { report, force, policy, mayReview }: Upload,
  context: WriteContext<Picture>,
): Promise<Picture> => {
  const version = await selectForWrite(selector);
  if (!force) checkSubject(version, report.subjects);
  const forced = isPlainlyAnother(version, report.subjects);
  const result = toScanResult(version, report, { policy, now: context.now, forced });
  return keepScan(version, result, { ...context, policy, mayReview });
};
