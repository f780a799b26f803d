import { foldId } from '../../domain/scans/merge.ts';

/** What everything of one vulnerability stands under, for each of its ids. `#` begins no version's key. */
export const vulnerabilityPrefix = '#vuln#';

/** The sort key of what is counted of a vulnerability. Others that begin with `#` are what was accepted of it. */
const counterKey = '#';

/** Comes after every sort key that begins with `#`, and before every version's. */
export const beforeVersions = '$';

export const toPartition = (id: string): string => `${vulnerabilityPrefix}${foldId(id)}`;

export const toCounterKey = (id: string) => ({ v: toPartition(id), k: counterKey });

export const toAffectedKey = (id: string, versionKey: string) => ({
  v: toPartition(id),
  k: versionKey,
});

/** The id that a partition is of, in upper case. */
export const readPartition = (v: string): string => v.slice(vulnerabilityPrefix.length);
