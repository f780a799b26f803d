import type { PackageSelector } from '../domain/package-id.ts';
import {
  type FinishedScan,
  type ScanPolicy,
  type ScanResult,
  toScanResult,
} from '../domain/scans/scan-result.ts';
import { selectForWrite } from '../store/packages/find-versions.ts';
import { keepScan } from '../store/scans/scans.ts';
import type { WriteContext } from '../store/write-context.ts';

/** Keeps what a scanner reported of the version that the selector means. */
export const uploadScan = async (
  selector: PackageSelector,
  { scan, policy }: { readonly scan: FinishedScan; readonly policy: ScanPolicy },
  context: WriteContext<ScanResult>,
): Promise<ScanResult> => {
  const version = await selectForWrite(selector);
  const result = toScanResult(version, scan, { policy, now: context.now });
  await keepScan(version, result, context);
  return result;
};
