import { isDeepStrictEqual } from 'node:util';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { foldId } from '../../domain/vulnerabilities/merge-vulnerabilities.ts';
import { limits } from '../../domain/vulnerabilities/scan-limits.ts';
import { listEntries, type MergedScanEntry } from '../../domain/vulnerabilities/scan-summary.ts';
import { compareSeverities } from '../../domain/vulnerabilities/severity.ts';
import type { ReviewFile } from '../reviews/review-file.ts';
import type { AffectedRow, Effect, StoredStatus } from './affected.ts';
import type { Description } from './description.ts';
import { toAffectedKey } from './vulnerability-keys.ts';

/** Limits of fixed versions and components in a row, so that a page of rows stays cheap. */
const fewFixes = 5;
const fewComponents = 3;

/** Vulnerability of a version, with the fields that the index needs. */
export interface CheckpointEntry {
  readonly id: string;
  /** All other ids in the scans of the version. The displayed ones come first. */
  readonly aliases: readonly string[];
  readonly summary: string;
  readonly epss: number | null;
  readonly effect: Effect;
}

/** Merged scan of a version, with the fields that the index needs. */
export interface StoredMergedScan extends StoredStatus {
  readonly version: PackageId;
  readonly entries: readonly CheckpointEntry[];
}

/**
 * Returns all ids in the findings of an entry, in their first spelling. The displayed ids are not enough: they have a
 * limit, which any upload could use up.
 */
const listIds = ({ vulnerability: { id, aliases }, members }: MergedScanEntry): string[] => {
  const found = members.flatMap(({ finding }) => [finding.id, ...finding.aliases]);
  const ids = new Map<string, string>();
  for (const one of [id, ...aliases, ...found])
    if (!ids.has(foldId(one))) ids.set(foldId(one), one);
  return [...ids.values()];
};

const toEntry = (entry: MergedScanEntry): CheckpointEntry => {
  const { vulnerability, acceptance } = entry;
  const [id = vulnerability.id, ...aliases] = listIds(entry);
  const { summary, epss, severity, cvss } = vulnerability;
  const { fixed_versions, components, not_affecting, known_exploited } = vulnerability;
  return {
    ...{ id, aliases, summary, epss },
    effect: {
      severity,
      score: cvss?.score ?? null,
      fixed_versions: fixed_versions.slice(0, fewFixes),
      components: components.slice(0, fewComponents),
      ...{ not_affecting, known_exploited },
      accepted_until: acceptance?.expires_at ?? null,
    },
  };
};

/** Returns the merged scan of a version with the fields that the index needs. */
export const makeMergedScan = (
  { ecosystem, name, version }: PackageId,
  file: ReviewFile,
): StoredMergedScan => ({
  version: { ecosystem, name, version },
  status: file.head.status,
  expires_at: file.head.expires_at,
  entries: listEntries(file).map(toEntry),
});

/** Index entry of a version under one id of a vulnerability. */
interface IndexEntry {
  readonly description: Description;
  readonly row: Omit<AffectedRow, 'leaseNumber'>;
}

/**
 * Compares entries that share an id; the first one is listed. Entries that affect the version come first, then those
 * without a risk acceptance, then the most severe.
 */
const compareEntries = (
  { effect: one }: CheckpointEntry,
  { effect: other }: CheckpointEntry,
): number =>
  Number(one.not_affecting !== null) - Number(other.not_affecting !== null) ||
  Number(one.accepted_until !== null) - Number(other.accepted_until !== null) ||
  compareSeverities(one.severity, other.severity) ||
  (other.score ?? -1) - (one.score ?? -1);

/** Returns the index entries of a version, by id in upper case. */
export const listIndexed = (
  versionKey: string,
  mergedScan: StoredMergedScan | undefined,
): ReadonlyMap<string, IndexEntry> => {
  const indexed = new Map<string, IndexEntry>();
  if (!mergedScan) return indexed;
  const { version, status, expires_at, entries } = mergedScan;
  const preferred = new Set(entries.map(({ id }) => foldId(id)));
  for (const entry of [...entries].sort(compareEntries)) {
    const ids = [entry.id, ...entry.aliases];
    const shown = ids.slice(0, limits.aliases + 1);
    for (const id of ids) {
      if (indexed.has(foldId(id))) continue;
      const { summary, epss, effect } = entry;
      const aliases = shown.filter((alias) => alias !== id).slice(0, limits.aliases);
      indexed.set(foldId(id), {
        description: { by: versionKey, id, aliases, summary, epss },
        row: {
          ...toAffectedKey(id, versionKey),
          ...version,
          ...{ status, expires_at, ...effect },
          preferred: preferred.has(foldId(id)),
        },
      });
    }
  }
  return indexed;
};

/** Returns the ids whose index entries differ between two merged scans of a version. */
export const findChangedIds = (
  before: ReadonlyMap<string, IndexEntry>,
  after: ReadonlyMap<string, IndexEntry>,
): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (id) => !isDeepStrictEqual(before.get(id), after.get(id)),
  );
