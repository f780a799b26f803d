import type { UpstreamRelease } from '../../../domain/packages/upstream-release.ts';
import { isObject, type JsonObject } from '../../../util/json.ts';
import { findEarliest, type PackageReleases, toReleases } from '../../origin/releases.ts';
import { cleanTime } from '../../origin/upstream-answer.ts';
import { readDeprecation } from './version-facts.ts';

/** Returns the versions of a packument. Abbreviated packuments have no publication times. */
export const readNpmReleases = (
  versions: JsonObject,
  time: JsonObject,
): readonly UpstreamRelease[] =>
  toReleases(
    'npm',
    Object.entries(versions).flatMap(([version, entry]) =>
      isObject(entry)
        ? [
            {
              version,
              publishedAt: time[version],
              isWithdrawn: readDeprecation(entry) !== undefined,
            },
          ]
        : [],
    ),
  );

/** Returns the versions of a packument with the first publication. Some mirrors have only the times of versions. */
export const readPackageReleases = (versions: JsonObject, time: JsonObject): PackageReleases => ({
  releases: readNpmReleases(versions, time),
  firstPublishedAt: cleanTime(time['created']) ?? findEarliest(Object.values(time)),
});
