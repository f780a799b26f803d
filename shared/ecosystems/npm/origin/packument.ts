import { canonicalizeVersion } from '../../../domain/packages/package-version.ts';
import type { UpstreamRelease } from '../../../domain/packages/upstream-release.ts';
import { isObject, type JsonObject, readAt, readTextAt } from '../../../util/json.ts';
import { type EarlierVersions, readEarlierVersions } from './earlier-versions.ts';
import { readNpmReleases } from './releases.ts';

/** Data of one version and of its package, from a packument. */
export interface PackumentEntry {
  /** Object of the version; undefined if the packument has none. */
  readonly version: JsonObject | undefined;
  readonly publishedAt: unknown;
  /** True if the publisher unpublished the version. */
  readonly isUnpublished: boolean;
  readonly newestVersion: unknown;
  /** Publication times of all versions; undefined in abbreviated packuments. */
  readonly time: unknown;
  /** Other fields of the packument, which describe the newest version. */
  readonly package: JsonObject;
  /** Versions that were published before; undefined without a packument. */
  readonly earlier: EarlierVersions | undefined;
  /** All versions; undefined without a packument. */
  readonly releases: readonly UpstreamRelease[] | undefined;
}

/** Returns the value under a version, regardless of build metadata: `1.0.0` equals `1.0.0+linux`. */
const findVersion = (values: JsonObject, version: string): unknown => {
  if (Object.hasOwn(values, version)) return values[version];
  const wanted = canonicalizeVersion('npm', version);
  const key = Object.keys(values).find((one) => canonicalizeVersion('npm', one) === wanted);
  return key === undefined ? undefined : values[key];
};

const readObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** Versions and times of a packument, and its other fields. */
interface PackumentParts {
  readonly versions: JsonObject;
  readonly time: JsonObject;
  readonly rest: JsonObject;
  /** True if the publisher unpublished the whole package. */
  readonly isTakenBack: boolean;
}

/** Splits a packument; undefined if the document is no packument, or belongs to another package. */
export const splitPackument = (document: unknown, name: string): PackumentParts | undefined => {
  if (!isObject(document)) return undefined;
  const upstreamName = readTextAt(document, 'name');
  if (upstreamName !== undefined && upstreamName !== name) return undefined;
  const isTakenBack = isObject(readAt(document, 'time', 'unpublished'));
  const { versions, readme, time, ...rest } = document;
  if (!isObject(versions) && !isTakenBack) return undefined;
  return { versions: readObject(versions), time: readObject(time), rest, isTakenBack };
};

/**
 * Returns the data of a version from a packument: full, abbreviated, or with `versions` only. Undefined if the document
 * is no packument, or belongs to another package.
 */
export const readPackument = (
  document: unknown,
  { name, version }: { readonly name: string; readonly version: string },
): PackumentEntry | undefined => {
  const parts = splitPackument(document, name);
  if (!parts) return undefined;
  const { versions, time, rest, isTakenBack } = parts;
  const found = findVersion(versions, version);
  const publishedAt = findVersion(time, version);
  return {
    version: isObject(found) ? found : undefined,
    publishedAt,
    // The time of an unpublished version remains; `time.unpublished` marks a package without any version left.
    isUnpublished: !isObject(found) && (isTakenBack || publishedAt !== undefined),
    newestVersion: readAt(document, 'dist-tags', 'latest'),
    time,
    package: rest,
    earlier: readEarlierVersions({ version, publishedAt }, versions, time),
    releases: readNpmReleases(versions, time),
  };
};
