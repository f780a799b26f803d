import {
  type DependencyList,
  longestDependencyText,
  maxListedDependencies,
} from '../../api/schemas/dependency-list.ts';
import type { PackageSelector } from '../../domain/packages/package-id.ts';
import type { Dependency } from '../../domain/review/dependency-issues.ts';
import { listDeclaredDependencies } from '../../ecosystems/declared-dependencies.ts';
import { selectVersion } from '../../storage/packages/find-versions.ts';
import { readReviewState } from '../../storage/reviews/review-state.ts';
import { readNewestRelease } from './compare-versions.ts';
import { findRegistryMatches, type RegistryMatch } from './find-registry-matches.ts';

const unknown: RegistryMatch = { status: 'unknown', version: null };

const shorten = (text: string): string => text.slice(0, longestDependencyText).toWellFormed();

const toEntry = (
  { name, range }: Dependency,
  { status, version }: RegistryMatch,
): NonNullable<DependencyList['dependencies']>[number] => ({
  ...{ name: shorten(name), range: shorten(range), status, version },
});

/**
 * Returns the mandatory dependencies of a version, according to stored metadata, with their statuses in the registry. The first
 * 50 are looked up, and as many as the read budget allows.
 * @throws {RegistryError} `package_not_found` if the selector matches no version
 */
export const listDependencies = async (
  selector: PackageSelector,
  now: Date,
): Promise<DependencyList> => {
  const { ecosystem, name, version } = await selectVersion(selector);
  const id = { ecosystem, name, version };
  const release = await readNewestRelease(id, await readReviewState(id));
  if (!release.facts) return { ...id, dependencies: null, total: 0, checked: 0 };
  const declared = listDeclaredDependencies(release.manifest ?? null, release.details);
  const listed = declared.slice(0, maxListedDependencies);
  const matches = await findRegistryMatches(ecosystem, listed, now);
  const dependencies = listed.map((one) => toEntry(one, matches.get(one) ?? unknown));
  const checked = dependencies.filter(({ status }) => status !== 'unknown').length;
  return { ...id, dependencies, total: declared.length, checked };
};
