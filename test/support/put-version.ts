import type { PackageDetail } from '../../shared/api/schemas/package.ts';
import { transact } from '../../shared/storage/dynamodb/transact.ts';
import type { SubmissionNote } from '../../shared/storage/packages/package-item.ts';
import { makeCommitMarker, putNewVersion } from '../../shared/storage/packages/write-version.ts';

/** Stores a new version alone, without its counters and its audit trail. */
export const putVersion = (detail: PackageDetail, note: SubmissionNote): Promise<void> => {
  const marker = makeCommitMarker(detail);
  const write = putNewVersion(detail, { sequence: 1, note, ...marker }, () => new Error('exists'));
  return transact(() => [write], { remainingMs: () => 10_000 }, marker);
};
