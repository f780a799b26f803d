import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import type { Finding, UsedVersion } from '../../../shared/use-cases/dependency-check/findings.ts';
import { groupBy } from '../../../shared/util/group-by.ts';

type Found = readonly [UsedVersion, Finding];

/** Returns a use with the version that decided. An image with another digest than its tag is used by that digest. */
const toDecided = ([used, { version, content }]: Found): UsedVersion =>
  version === null || version !== used.dependency.tag || content === 'other'
    ? used
    : { ...used, dependency: { ...used.dependency, version } };

/** Returns each version once that decided about some uses, with all places. For an image, this is its tag or its digest. */
export const listDecided = (found: Iterable<Found>): readonly UsedVersion[] => {
  const groups = groupBy([...found].map(toDecided), ({ dependency }) => toVersionKey(dependency));
  return [...groups.values()].flatMap(([first, ...others]) =>
    first ? [{ ...first, places: [first, ...others].flatMap(({ places }) => places) }] : [],
  );
};
