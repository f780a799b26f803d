import {
  compareVersions,
  isBeforeRelease,
} from '../../../shared/domain/packages/compare-versions.ts';
import { findMajor } from '../../../shared/domain/packages/major-version.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';
import { groupBy } from '../../../shared/util/group-by.ts';

/** The newest version of a major version. */
export interface NewestOfMajor {
  /** Null for tags of images, which have no major version. */
  readonly major: string | null;
  readonly version: string;
}

/** Sorts releases before prereleases, then the higher version first. */
const newestFirst = (one: string, other: string): number =>
  Number(isBeforeRelease(one)) - Number(isBeforeRelease(other)) || compareVersions(other, one);

/**
 * Returns the newest version of each major version, the newest of all first. A prerelease is the newest only if there is no
 * release.
 */
export const findNewestByMajor = (
  ecosystem: Ecosystem,
  versions: readonly string[],
): readonly NewestOfMajor[] => {
  const sorted = [...versions].sort(newestFirst);
  const byMajor = groupBy(sorted, (version) => findMajor(ecosystem, version) ?? `tag ${version}`);
  return [...byMajor.values()].flatMap(([version]) =>
    version === undefined ? [] : [{ major: findMajor(ecosystem, version) ?? null, version }],
  );
};
