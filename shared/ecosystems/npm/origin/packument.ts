import { canonicalizeVersion } from '../../../domain/packages/package-version.ts';
import { isObject, type JsonObject, readAt, readTextAt } from '../../../util/json.ts';
import { type EarlierVersions, readEarlierVersions } from './earlier-versions.ts';

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
}

/** Returns the value under a version, regardless of build metadata: `1.0.0` equals `1.0.0+linux`. */
const findVersion = (values: JsonObject, version: string): unknown => {
  if (Object.hasOwn(values, version)) return values[version];
  const wanted = canonicalizeVersion('npm', version);
  const key = Object.keys(values).find((one) => canonicalizeVersion('npm', one) === wanted);
  return key === undefined ? undefined : values[key];
};

const readObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/**
 * Returns the data of a version from a packument: full, abbreviated, or with `versions` only. Undefined if the document
 * is no packument, or belongs to another package.
 */
export const readPackument = (
  document: unknown,
  { name, version }: { readonly name: string; readonly version: string },
): PackumentEntry | undefined => {
  if (!isObject(document)) return undefined;
  const upstreamName = readTextAt(document, 'name');
  if (upstreamName !== undefined && upstreamName !== name) return undefined;
  const isTakenBack = isObject(readAt(document, 'time', 'unpublished'));
  if (!isObject(document['versions']) && !isTakenBack) return undefined;
  const { versions, readme, time, ...rest } = document;
  const found = findVersion(readObject(versions), version);
  const publishedAt = findVersion(readObject(time), version);
  return {
    version: isObject(found) ? found : undefined,
    publishedAt,
    // The time of an unpublished version remains; `time.unpublished` marks a package without any version left.
    isUnpublished: !isObject(found) && (isTakenBack || publishedAt !== undefined),
    newestVersion: readAt(document, 'dist-tags', 'latest'),
    time,
    package: rest,
    earlier: readEarlierVersions({ version, publishedAt }, readObject(versions), readObject(time)),
  };
};
