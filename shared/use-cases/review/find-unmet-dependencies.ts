import type { Manifest } from '../../domain/facts/manifest.ts';
import type { Warning } from '../../domain/review/approval.ts';
import { type Dependency, listDependencyIssues } from '../../domain/review/dependency-issues.ts';
import { listDeclaredDependencies } from '../../ecosystems/declared-dependencies.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { type ApprovedPage, findApprovedPage } from '../../storage/packages/approved-versions.ts';

/** Maximum number of dependencies that are looked up. */
const mostDependencies = 40;
/** Maximum number of read units. Only versions of very different sizes can exceed it. */
const mostUnits = 20;
/** Number of approved versions of a dependency that are read. */
const versionsLookedAt = 8;
const parallelCalls = 5;
/** Read units of a call with small versions. */
const usualUnits = 0.5;

/** Dependency with its approved versions; without them if they were not read. */
interface Lookup {
  readonly dependency: Dependency;
  readonly approved: ApprovedPage | undefined;
}

/** Returns the number of calls that may be made, if each consumes as much as the most expensive one so far. */
const countCalls = (lookups: readonly Lookup[]): number => {
  const units = lookups.map(({ approved }) => approved?.units ?? usualUnits);
  // The first call shows how large the versions are.
  if (units.length === 0) return 1;
  const used = units.reduce((sum, one) => sum + one, 0);
  return Math.min(parallelCalls, Math.floor((mostUnits - used) / Math.max(...units)));
};

/** Returns the approved versions of dependencies in their order, as many as the maximum of read units allows. */
const lookUp = async (
  ecosystem: Ecosystem,
  dependencies: readonly Dependency[],
  now: Date,
): Promise<readonly Lookup[]> => {
  const lookups: Lookup[] = [];
  while (lookups.length < dependencies.length) {
    const calls = countCalls(lookups);
    if (calls < 1) break;
    const some = dependencies.slice(lookups.length, lookups.length + calls);
    const found = await Promise.all(
      some.map(async (dependency) => ({
        dependency,
        approved: await findApprovedPage({ ecosystem, ...dependency }, now, versionsLookedAt),
      })),
    );
    lookups.push(...found);
  }
  return lookups;
};

/** Returns whether an approved version is in the range; undefined if unread versions may be. */
const isMet = ({ dependency, approved }: Lookup): boolean | undefined => {
  if (!approved) return undefined;
  if (approved.versions.some(dependency.accepts)) return true;
  return approved.isComplete ? false : undefined;
};

/**
 * Returns a warning that names the mandatory dependencies of a version without an approved version in their range, or
 * none. Looks up as many dependencies as the bounds allow, and none if the read budget is too small.
 */
export const findUnmetDependencies = async (
  ecosystem: Ecosystem,
  manifest: Manifest | null,
  now: Date,
): Promise<readonly Warning[]> => {
  const dependencies = manifest ? listDeclaredDependencies(manifest) : [];
  const lookups = await lookUp(ecosystem, dependencies.slice(0, mostDependencies), now);
  const unmet = lookups.filter((lookup) => isMet(lookup) === false);
  return listDependencyIssues({
    ecosystem,
    unmet: unmet.map(({ dependency }) => dependency),
    checked: lookups.filter((lookup) => isMet(lookup) !== undefined).length,
    total: dependencies.length,
  });
};
