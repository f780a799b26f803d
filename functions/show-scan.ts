import * as routes from '../shared/api/routes.ts';
import { readScanPolicy } from '../shared/api/settings/env.ts';
import { RegistryError } from '../shared/domain/errors.ts';
import { formatPackage } from '../shared/domain/packages/format-package.ts';
import type { PackageId } from '../shared/domain/packages/package-id.ts';
import { confirmByRescan } from '../shared/domain/review/rescan-round.ts';
import { type MergedScan, toMergedScan } from '../shared/domain/vulnerabilities/merged-scan.ts';
import { endpoint } from '../shared/platform/http/endpoint.ts';
import { selectVersion } from '../shared/storage/packages/find-versions.ts';
import { readRescanRound } from '../shared/storage/reviews/rescan-round.ts';
import { readReviewFile } from '../shared/storage/reviews/review-file.ts';
import { findScan, showScan } from '../shared/storage/scans/scans.ts';

const showNumbered = async (id: PackageId, number: number): Promise<MergedScan> => {
  const scan = await findScan(id, number);
  if (scan) return showScan(scan);
  throw new RegistryError(
    'scan_not_found',
    `${formatPackage(id)} has no scan of the number ${number}.`,
  );
};

const showMerged = async (id: PackageId): Promise<MergedScan> => {
  const viewpoint = { now: new Date(), policy: readScanPolicy() };
  const [file, round] = await Promise.all([readReviewFile(id), readRescanRound()]);
  const sources = confirmByRescan(id, file.head, round);
  const mergedScan = toMergedScan(id, { ...file, sources }, viewpoint);
  if (mergedScan) return mergedScan;
  throw new RegistryError(
    'scan_not_found',
    `${formatPackage(id)} has no scan: nothing is known of its vulnerabilities.`,
  );
};

export const handler = endpoint(routes.showScan, async ({ path, query }) => {
  const { number, ...filter } = query;
  const selected = await selectVersion({ ...path, ...filter });
  return number === undefined ? showMerged(selected) : showNumbered(selected, number);
});
