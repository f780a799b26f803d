import type { RegistryStatus } from '../../domain/changes/registry-status.ts';
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

/** Returns the status of a package without an approved version: that of its newest submission. */
const findNewestStatus = async (
  ecosystem: Ecosystem,
  { name }: Dependency,
  now: Date,
): Promise<RegistryStatus> => {
  if (!hasReadUnits(unitsForOne)) return 'unknown';
  const newest = await findNewestVersion({ ecosystem, name });
  return newest ? statusAt(newest, now) : 'not_in_registry';
};

const findStatus = async (
  ecosystem: Ecosystem,
  lookup: Lookup,
  now: Date,
): Promise<RegistryStatus> => {
  const met = isMet(lookup);
  if (met === undefined) return 'unknown';
  if (met) return 'approved';
  if ((lookup.approved?.versions.length ?? 0) > 0) return 'out_of_range';
  return findNewestStatus(ecosystem, lookup.dependency, now);
};

/**
 * Returns the status in the registry of dependencies, as a map. At most 50 are looked up, and as many as the read budget
 * allows; the others are missing.
 */
export const findRegistryStatuses = async (
  ecosystem: Ecosystem,
  dependencies: readonly Dependency[],
  now: Date,
): Promise<ReadonlyMap<Dependency, RegistryStatus>> => {
  const some = dependencies.slice(0, mostDependencies);
  const lookups = await lookUpDependencies(ecosystem, some, { now, mostUnits });
  const found = await runInParallel(
    lookups,
    parallelCalls,
    async (lookup) => [lookup.dependency, await findStatus(ecosystem, lookup, now)] as const,
  );
  return new Map(found);
};
