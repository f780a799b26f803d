import type { EarlierPublication } from '../../../domain/facts/collected-facts.ts';
import { findNearestBelow } from '../../../domain/packages/nearest-version.ts';
import { isPackageVersion } from '../../../domain/packages/package-version.ts';
import { settledMs } from '../../../domain/packages/settled.ts';
import { compareOrder } from '../../../util/compare-order.ts';
import { isObject, type JsonObject, readAt } from '../../../util/json.ts';
import { cleanName } from '../../origin/release-text.ts';
import { cleanTime } from '../../origin/upstream-answer.ts';

/** Version that was published before another one, as the packument has it. */
export interface EarlierVersion {
  readonly number: string;
  readonly version: JsonObject;
  /** ISO 8601, in UTC. */
  readonly publishedAt: string;
}

/** What the versions published before one tell about it. */
export interface EarlierVersions {
  /** Nearest version below, if possible a week older; undefined if there is none, or if publication times are unknown. */
  readonly nearest: EarlierVersion | undefined;
  /** Publishers of the 200 versions before, newest first; undefined if upstream shows none. */
  readonly publications: readonly EarlierPublication[] | undefined;
}

const mostPublications = 200;

/** Returns the nearest version below one: among those that were published at least a week before it, or else among all. */
const findNearest = (
  own: string,
  publishedAt: unknown,
  earlier: readonly EarlierVersion[],
): EarlierVersion | undefined => {
  const end = Date.parse(cleanTime(publishedAt) ?? '') - settledMs;
  const settled = earlier.filter((one) => Date.parse(one.publishedAt) <= end);
  const find = (some: readonly EarlierVersion[]) => {
    const numbers = some.map(({ number }) => number);
    const number = findNearestBelow('npm', own, numbers);
    return some.find((one) => one.number === number);
  };
  return find(settled) ?? find(earlier);
};

/** Returns the versions of a packument that were published before a time, newest first. */
const listEarlier = (
  versions: JsonObject,
  time: JsonObject,
  publishedAt: unknown,
): EarlierVersion[] => {
  const own = cleanTime(publishedAt);
  if (own === null) return [];
  const earlier = Object.entries(versions).flatMap(([number, version]) => {
    const at = cleanTime(time[number]);
    const isUsable = at !== null && at < own && isPackageVersion('npm', number);
    return isUsable && isObject(version) ? [{ number, version, publishedAt: at }] : [];
  });
  return earlier.toSorted((one, other) => compareOrder(other.publishedAt, one.publishedAt));
};

/** Returns the nearest version below one, and the publications before it, from the versions and times of a packument. */
export const readEarlierVersions = (
  { version: own, publishedAt }: { readonly version: string; readonly publishedAt: unknown },
  versions: JsonObject,
  time: JsonObject,
): EarlierVersions => {
  const earlier = listEarlier(versions, time, publishedAt);
  const publications = earlier
    .slice(0, mostPublications)
    .flatMap(({ version, publishedAt: at }) => {
      const publisher = cleanName(readAt(version, '_npmUser', 'name'));
      return publisher === undefined ? [] : [{ publisher, published_at: at }];
    });
  return {
    nearest: findNearest(own, publishedAt, earlier),
    publications: publications.length > 0 ? publications : undefined,
  };
};
