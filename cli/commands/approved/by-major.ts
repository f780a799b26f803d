import {
  compareVersions,
  isBeforeRelease,
} from '../../../shared/domain/packages/compare-versions.ts';
import { findMajor } from '../../../shared/domain/packages/major-version.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';
import { groupBy } from '../../../shared/util/group-by.ts';

/** The newest version with a first number. */
export interface NewestOfMajor {
  /** Null for tags of images, which have none: each stands for itself. */
  readonly major: string | null;
  readonly version: string;
}

/** Releases before what comes before a release, then the higher version first. */
const newestFirst = (one: string, other: string): number =>
  Number(isBeforeRelease(one)) - Number(isBeforeRelease(other)) || compareVersions(other, one);

/**
 * Returns the newest of some versions for each major version, the newest of all first. A prerelease is the newest only
 * where there is no release.
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
