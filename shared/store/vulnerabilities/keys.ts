import { type PackageId, toVersionKey } from '../../domain/package-id.ts';
import { foldId } from '../../domain/scans/merge.ts';

/** Everything of one vulnerability stands together under each of its ids. `#` begins no version's key. */
export const vulnerabilityPartition = '#vuln#';

/** The sort key of what is counted of a vulnerability. */
export const counterKey = '#';

/** Comes after every sort key that begins with `#`, and before every version's. */
export const beforeVersions = '$';

export const toPartition = (id: string): string => `${vulnerabilityPartition}${foldId(id)}`;

export const toCounterKey = (id: string) => ({ v: toPartition(id), k: counterKey });

export const toAffectedKey = (id: string, version: PackageId) => ({
  v: toPartition(id),
  k: toVersionKey(version),
});
