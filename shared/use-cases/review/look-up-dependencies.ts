import type { Dependency } from '../../domain/review/dependency-issues.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { type ApprovedPage, findApprovedPage } from '../../storage/packages/approved-versions.ts';

/** Number of approved versions of a dependency that are read. */
const versionsLookedAt = 8;
const parallelCalls = 5;
/** Read units of a call with small versions. */
const usualUnits = 0.5;

/** Dependency with its approved versions; without them if they were not read. */
export interface Lookup {
  readonly dependency: Dependency;
  readonly approved: ApprovedPage | undefined;
}

/** Returns the number of calls that may be made, if each consumes as much as the most expensive one so far. */
const countCalls = (lookups: readonly Lookup[], mostUnits: number): number => {
  const units = lookups.map(({ approved }) => approved?.units ?? usualUnits);
  // The first call shows how large the versions are.
  if (units.length === 0) return 1;
  const used = units.reduce((sum, one) => sum + one, 0);
  return Math.min(parallelCalls, Math.floor((mostUnits - used) / Math.max(...units)));
};

/**
 * Returns dependencies with their approved versions, in order: as many as `mostUnits` read units allow, and none if the
 * read budget is too small. Only versions of very different sizes can exceed these units.
 */
export const lookUpDependencies = async (
  ecosystem: Ecosystem,
  dependencies: readonly Dependency[],
  { now, mostUnits }: { readonly now: Date; readonly mostUnits: number },
): Promise<readonly Lookup[]> => {
  const lookups: Lookup[] = [];
  while (lookups.length < dependencies.length) {
    const calls = countCalls(lookups, mostUnits);
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
export const isMet = ({ dependency, approved }: Lookup): boolean | undefined => {
  if (!approved) return undefined;
  if (approved.versions.some(dependency.accepts)) return true;
  return approved.isComplete ? false : undefined;
};
