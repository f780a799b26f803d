import type { Change } from '../../domain/changes/compare-releases.ts';
import type { RegistryStatus } from '../../domain/changes/registry-status.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import type { Dependency } from '../../domain/review/dependency-issues.ts';
import { mapRegistryDependencies } from '../../ecosystems/compared-dependencies.ts';
import type { StoredRelease } from '../../ecosystems/manifest/common-attributes.ts';
import { findRegistryMatches } from './find-registry-matches.ts';

/** Added dependency of a change, with its status in the registry. */
export interface LookedUpDependency extends Dependency {
  readonly status: RegistryStatus;
}

/** Returns the changes that add a package: new dependencies, and known names of another package or source. */
const listAddingChanges = (
  changes: readonly Change[],
  before: ReadonlyMap<string, Dependency>,
  after: ReadonlyMap<string, Dependency>,
): Change[] =>
  changes.filter(({ field, change, name }) => {
    if (field !== 'dependencies' || change === 'removed') return false;
    const now = after.get(name ?? '');
    return change === 'added' || !now || before.get(name ?? '')?.name !== now.name;
  });

/** Dependencies that a version adds to those of an earlier one. */
export interface AddedDependencies {
  /** Changes that add a dependency. */
  readonly changes: ReadonlySet<Change>;
  /** Dependencies from a registry, by their names in the changes. */
  readonly found: ReadonlyMap<string, LookedUpDependency>;
}

/** Returns the dependencies that the changes of a version add, with their statuses in the registry. */
export const lookUpAdded = async (
  { ecosystem }: PackageId,
  changes: readonly Change[],
  { before, after }: { readonly before: StoredRelease | undefined; readonly after: StoredRelease },
  now: Date,
): Promise<AddedDependencies> => {
  const own = mapRegistryDependencies(after);
  const adding = listAddingChanges(changes, before ? mapRegistryDependencies(before) : own, own);
  const added = adding.flatMap(({ name }) => {
    const dependency = own.get(name ?? '');
    return name !== null && dependency ? [{ name, dependency }] : [];
  });
  const wanted = added.map(({ dependency }) => dependency);
  const matches = await findRegistryMatches(ecosystem, wanted, now);
  return {
    changes: new Set(adding),
    found: new Map(
      added.map(({ name, dependency }) => [
        name,
        { ...dependency, status: matches.get(dependency)?.status ?? 'unknown' },
      ]),
    ),
  };
};

/**
 * True if an added dependency is unreadable: it comes from another source than a registry, such as Git, or its name is equal to
 * another one without invisible characters.
 */
export const hasUnreadable = ({ changes, found }: AddedDependencies): boolean =>
  found.size < changes.size;
