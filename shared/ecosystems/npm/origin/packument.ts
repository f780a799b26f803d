import { canonicalizeVersion } from '../../../domain/packages/package-version.ts';
import { isObject, type JsonObject, readAt, readTextAt } from '../../../util/json.ts';

/** What a packument says of one version, and of the package. */
export interface PackumentEntry {
  /** The version's own object; undefined if it has none. */
  readonly version: JsonObject | undefined;
  readonly publishedAt: unknown;
  /** Whether there was such a version that its publisher took back. */
  readonly isUnpublished: boolean;
  readonly newestVersion: unknown;
  /** What the packument says besides: of its newest version. */
  readonly package: JsonObject;
}

/** The value under a version, however its build is written: `1.0.0` and `1.0.0+linux` are one. */
const findVersion = (values: JsonObject, version: string): unknown => {
  if (Object.hasOwn(values, version)) return values[version];
  const wanted = canonicalizeVersion('npm', version);
  const key = Object.keys(values).find((one) => canonicalizeVersion('npm', one) === wanted);
  return key === undefined ? undefined : values[key];
};

const readObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

/**
 * What a packument, full, abbreviated or with no more than versions, says of a version. Undefined if it is none, or one
 * of another package.
 */
export const readPackument = (
  document: unknown,
  { name, version }: { readonly name: string; readonly version: string },
): PackumentEntry | undefined => {
  if (!isObject(document)) return undefined;
  const told = readTextAt(document, 'name');
  if (told !== undefined && told !== name) return undefined;
  const isTakenBack = isObject(readAt(document, 'time', 'unpublished'));
  if (!isObject(document['versions']) && !isTakenBack) return undefined;
  const { versions, readme, time, ...rest } = document;
  const found = findVersion(readObject(versions), version);
  const publishedAt = findVersion(readObject(time), version);
  return {
    version: isObject(found) ? found : undefined,
    publishedAt,
    // Times of versions stay when a version goes; when all of them go, a note says so.
    isUnpublished: !isObject(found) && (isTakenBack || publishedAt !== undefined),
    newestVersion: readAt(document, 'dist-tags', 'latest'),
    package: rest,
  };
};
