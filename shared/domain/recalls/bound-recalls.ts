import { dayMs } from '../../util/duration.ts';
import { groupBy } from '../../util/group-by.ts';
import { type PackageId, toPackageKey, toVersionKey } from '../packages/package-id.ts';
import type { MalwareRecord, RecordMatch } from './match-record.ts';
import type { RecallCause } from './recall.ts';

/** Package version that a record of malware names, or that was removed upstream. */
export interface RecallCandidate {
  readonly id: PackageId;
  readonly match: RecordMatch;
  /** Time of the version's publication; null if it is unknown. */
  readonly published_at: string | null;
  readonly record: Pick<MalwareRecord, 'id' | 'summary' | 'withdrawn'>;
  /** Time when the feed listed the record, or of the removal. Versions published long before it are old. */
  readonly recordAddedAt: string;
  /** Confirmation of the record by a person: the bounds do not apply then. */
  readonly confirmation?: RecallCause['confirmation'];
}

/** Version to recall. `isOld` is true if the bounds count it. */
export type PlannedRecall = RecallCandidate & { readonly isOld: boolean };

/** Why a version is not recalled: an old version in a bare range, or too many old versions at once. */
export type RecallAttention = RecallCandidate &
  (
    | { readonly reason: 'bare_range' }
    | { readonly reason: 'too_many'; readonly bound: 'package' | 'run' | 'day' }
  );

/** Versions to recall, and versions for people to look at. */
export interface RecallPlan {
  readonly recall: readonly PlannedRecall[];
  readonly attention: readonly RecallAttention[];
}

/** Maximum time from a publication to the record of a young version. */
const youngMs = 14 * dayMs;

/** The most old versions that are recalled without a person: of one package, in one run, and in one day. */
const mostOld = { package: 20, run: 50, day: 200 } as const;

/** True if a version was published more than 14 days before its record, or at an unknown time. */
const isOldVersion = ({ published_at, recordAddedAt }: RecallCandidate, now: Date): boolean => {
  // A record from the future has a wrong clock.
  const recordMs = Math.min(Date.parse(recordAddedAt), now.getTime());
  return !(recordMs - Date.parse(published_at ?? '') <= youngMs);
};

/** Returns the candidates without withdrawn records, and with each pair of version and record once. */
const listDistinct = (candidates: readonly RecallCandidate[]): RecallCandidate[] => {
  const pairs = candidates
    .filter(({ record }) => record.withdrawn === null)
    .map(
      (candidate) => [`${toVersionKey(candidate.id)} ${candidate.record.id}`, candidate] as const,
    );
  return [...new Map(pairs).values()];
};

const countVersions = (candidates: readonly RecallCandidate[]): number =>
  new Set(candidates.map(({ id }) => toVersionKey(id))).size;

const refuse = (
  candidates: readonly RecallCandidate[],
  bound: 'package' | 'run' | 'day',
): RecallAttention[] =>
  candidates.map((candidate) => ({ ...candidate, reason: 'too_many', bound }));

/** Applies the bounds to old versions. Packages above their bound do not count for the run and the day. */
const boundOld = (old: readonly RecallCandidate[], recalledToday: number): RecallPlan => {
  const packages = [...groupBy(old, ({ id }) => toPackageKey(id.ecosystem, id.name)).values()];
  const isFew = (some: readonly RecallCandidate[]): boolean =>
    countVersions(some) <= mostOld.package;
  const kept = packages.filter(isFew).flat();
  const attention = refuse(packages.filter((some) => !isFew(some)).flat(), 'package');
  const count = countVersions(kept);
  if (count > mostOld.run) {
    return { recall: [], attention: [...attention, ...refuse(kept, 'run')] };
  }
  if (count > 0 && recalledToday + count > mostOld.day) {
    return { recall: [], attention: [...attention, ...refuse(kept, 'day')] };
  }
  return { recall: kept.map((candidate) => ({ ...candidate, isOld: true })), attention };
};

/**
 * Decides which candidates of a run are recalled. `recalledToday` counts the old versions that earlier runs recalled within
 * 24 hours. Each candidate of a record that is not withdrawn is in one of the lists.
 *
 * Versions of confirmed records are always recalled, and so are young ones, except in a leftover range. Old versions in a bare range
 * never are, and other old ones only within the bounds: old versions are seldom malicious, and wrong records name many of them.
 */
export const planRecalls = (
  candidates: readonly RecallCandidate[],
  { recalledToday }: { readonly recalledToday: number },
  now: Date,
): RecallPlan => {
  const kinds = groupBy(listDistinct(candidates), (candidate) => {
    if (candidate.confirmation) return 'unbounded';
    if (candidate.match === 'leftover') return 'bare';
    if (!isOldVersion(candidate, now)) return 'unbounded';
    return candidate.match === 'bare' ? 'bare' : 'old';
  });
  const unbounded = kinds.get('unbounded') ?? [];
  const bare = kinds.get('bare') ?? [];
  const bounded = boundOld(kinds.get('old') ?? [], recalledToday);
  return {
    recall: [...unbounded.map((candidate) => ({ ...candidate, isOld: false })), ...bounded.recall],
    attention: [
      ...bare.map((candidate) => ({ ...candidate, reason: 'bare_range' as const })),
      ...bounded.attention,
    ],
  };
};
