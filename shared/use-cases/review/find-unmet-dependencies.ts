import type { Manifest } from '../../domain/facts/manifest.ts';
import type { Warning } from '../../domain/review/approval.ts';
import { listDependencyIssues } from '../../domain/review/dependency-issues.ts';
import { listDeclaredDependencies } from '../../ecosystems/declared-dependencies.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { isMet, lookUpDependencies } from './look-up-dependencies.ts';

/** Maximum number of dependencies that are looked up. */
const mostDependencies = 40;
/** Maximum number of read units for them. */
const mostUnits = 20;

/**
 * Returns a warning that names the mandatory dependencies of a version without an approved version in their range, or
 * none. Looks up as many dependencies as the bounds allow, and none if the read budget is too small.
 */
export const findUnmetDependencies = async (
  ecosystem: Ecosystem,
  manifest: Manifest | null,
  now: Date,
): Promise<readonly Warning[]> => {
  const dependencies = listDeclaredDependencies(manifest);
  const lookups = await lookUpDependencies(ecosystem, dependencies.slice(0, mostDependencies), {
    now,
    mostUnits,
  });
  const unmet = lookups.filter((lookup) => isMet(lookup) === false);
  return listDependencyIssues({
    ecosystem,
    unmet: unmet.map(({ dependency }) => dependency),
    checked: lookups.filter((lookup) => isMet(lookup) !== undefined).length,
    total: dependencies.length,
  });
};
