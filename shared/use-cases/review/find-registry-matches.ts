import type { RegistryStatus } from '../../domain/changes/registry-status.ts';
import { findHighest } from '../../domain/packages/version-order.ts';
import type { Dependency } from '../../domain/review/dependency-issues.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { hasReadUnits } from '../../storage/dynamodb/read-budget.ts';
import { findNewestVersion } from '../../storage/packages/find-versions.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { isMet, type Lookup, lookUpDependencies } from './look-up-dependencies.ts';

/** Maximum number of dependencies that are looked up. */
const mostDependencies = 50;
/** Maximum number of read units for their approved versions. */
const mostUnits = 25;
const parallelCalls = 5;
/** Read units that must be left for one more dependency: rows of other names may share its partition. */
const unitsForOne = 512;

/** Status of a dependency in the registry, and the version that has it. */
export interface RegistryMatch {
  readonly status: RegistryStatus;
  /**
   * The highest approved version: in the range, or outside of it with `out_of_range`. Without any, the newest submission; null if
   * there is none.
   */
  readonly version: string | null;
}

const unknown: RegistryMatch = { status: 'unknown', version: null };

/** Returns the match of a package without an approved version: its newest submission. */
const findNewestMatch = async (
  ecosystem: Ecosystem,
  { name }: Dependency,
  now: Date,
): Promise<RegistryMatch> => {
  if (!hasReadUnits(unitsForOne)) return unknown;
  const newest = await findNewestVersion({ ecosystem, name });
  if (!newest) return { status: 'not_in_registry', version: null };
  return { status: statusAt(newest, now), version: newest.version };
};

const findMatch = async (
  ecosystem: Ecosystem,
  lookup: Lookup,
  now: Date,
): Promise<RegistryMatch> => {
  const { dependency, approved } = lookup;
  const met = isMet(lookup);
  if (met === undefined) return unknown;
  const versions = approved?.versions ?? [];
  if (versions.length === 0) return findNewestMatch(ecosystem, dependency, now);
  const candidates = met ? versions.filter(dependency.accepts) : versions;
  const version = findHighest(ecosystem, candidates) ?? null;
  return { status: met ? 'approved' : 'out_of_range', version };
};

/**
 * Returns the statuses in the registry of dependencies with the versions that have them, as a map. At most 50 are looked up, and
 * as many as the read budget allows; the others are missing.
 */
export const findRegistryMatches = async (
  ecosystem: Ecosystem,
  dependencies: readonly Dependency[],
  now: Date,
): Promise<ReadonlyMap<Dependency, RegistryMatch>> => {
  const some = dependencies.slice(0, mostDependencies);
  const lookups = await lookUpDependencies(ecosystem, some, { now, mostUnits });
  const found = await runInParallel(
    lookups,
    parallelCalls,
    async (lookup) => [lookup.dependency, await findMatch(ecosystem, lookup, now)] as const,
  );
  return new Map(found);
};
