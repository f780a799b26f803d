import type { PackageSelector } from '../domain/package-id.ts';
import type { Picture } from '../domain/scans/picture.ts';
import { type FinishedScan, type ScanPolicy, toScanResult } from '../domain/scans/scan-result.ts';
import { selectForWrite } from '../store/packages/find-versions.ts';
import type { WriteContext } from '../store/write-context.ts';
import { keepScan } from './keep-scan.ts';

/** Keeps what a scanner reported of the version that the selector means. */
export const uploadScan = async (
  selector: PackageSelector,
  { scan, policy }: { readonly scan: FinishedScan; readonly policy: ScanPolicy },
  context: WriteContext<Picture>,
): Promise<Picture> => {
  const version = await selectForWrite(selector);
  const result = toScanResult(version, scan, { policy, now: context.now });
  return keepScan(version, result, { ...context, policy });
};
