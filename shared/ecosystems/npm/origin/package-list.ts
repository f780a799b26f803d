import type { ListValidator } from '../../../domain/facts/list-validator.ts';
import { canonicalizeVersion } from '../../../domain/packages/package-version.ts';
import { digest } from '../../../util/digest.ts';
import { isObject, type JsonObject, readAt } from '../../../util/json.ts';
import type { PackageList } from '../../origin/package-list.ts';
import { cleanVersion } from '../../origin/upstream-answer.ts';
import { splitPackument } from './packument.ts';
import { readRelease } from './release.ts';
import { readNpmReleases } from './releases.ts';
import { isWhole } from './version-facts.ts';

/**
 * Returns the digest of a version in a packument: of its metadata, its manifest and its details, without what other versions
 * determine. Undefined if the version is abbreviated, so that other documents describe it.
 */
export const digestNpmRelease = (version: JsonObject, publishedAt: unknown): string | undefined => {
  if (!isWhole(version)) return undefined;
  const entry = { package: {}, publishedAt, newestVersion: undefined, time: undefined };
  const { facts, manifest, details } = readRelease(version, entry);
  return digest([facts, manifest, details]);
};

/** Returns the list of versions in a packument; undefined if the document is no packument, or belongs to another package. */
export const readNpmList = (
  document: unknown,
  name: string,
  validator: ListValidator,
): PackageList | undefined => {
  const parts = splitPackument(document, name);
  if (!parts) return undefined;
  const { versions, time } = parts;
  const entries = new Map(
    Object.entries(versions).map((entry) => [canonicalizeVersion('npm', entry[0]), entry]),
  );
  return {
    validator,
    newestVersion: cleanVersion('npm', readAt(document, 'dist-tags', 'latest')),
    releases: readNpmReleases(versions, time),
    digestOf: (wanted) => {
      const [version = '', found] = Object.hasOwn(versions, wanted)
        ? [wanted, versions[wanted]]
        : (entries.get(canonicalizeVersion('npm', wanted)) ?? []);
      return isObject(found) ? digestNpmRelease(found, time[version]) : undefined;
    },
  };
};
