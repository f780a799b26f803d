import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { isAvailable, isSettled, type ReleaseList } from '../packages/release-list.ts';
import { findHighest, isPrerelease } from '../packages/version-order.ts';
import type { Dependency } from './dependency-issues.ts';

/** Returns the wanted items; all items if none is wanted. */
const prefer = <T>(items: readonly T[], isWanted: (item: T) => boolean): readonly T[] => {
  const wanted = items.filter(isWanted);
  return wanted.length > 0 ? wanted : items;
};

/**
 * Returns the highest release in the range of a dependency: a settled one if there is any. Withdrawn and rejected
 * releases do not count, and pre-releases only if there is no other release, as for installers. Undefined without a release in the
 * range, and for a dependency of Maven whose version a BOM sets.
 */
export const findBestMatch = (
  ecosystem: Ecosystem,
  { range, accepts }: Pick<Dependency, 'range' | 'accepts'>,
  { releases, known, settledBefore }: ReleaseList,
): string | undefined => {
  if (ecosystem === 'maven' && range === '') return undefined;
  const inRange = releases.filter(
    (release) => isAvailable(ecosystem, release, known) && accepts(release.version),
  );
  const stable = prefer(inRange, ({ version }) => !isPrerelease(ecosystem, version));
  const best = prefer(stable, (release) => isSettled(release, settledBefore));
  return findHighest(
    ecosystem,
    best.map(({ version }) => version),
  );
};
