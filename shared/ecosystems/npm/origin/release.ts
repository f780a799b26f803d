import type { CollectedRelease } from '../../../domain/facts/collected-facts.ts';
import type { JsonObject } from '../../../util/json.ts';
import type { PackumentEntry } from './packument.ts';
import { readNpmDetails } from './release-details.ts';
import { readNpmManifest, readVersion } from './version-facts.ts';

export type ReleaseEntry = Pick<
  PackumentEntry,
  'package' | 'publishedAt' | 'newestVersion' | 'time'
>;

/** Returns the upstream metadata of a version from its object in a packument. */
export const readRelease = (version: JsonObject, entry: ReleaseEntry): CollectedRelease => {
  const facts = readVersion(version, entry);
  return {
    facts,
    manifest: readNpmManifest(version),
    details: readNpmDetails(version, { ...entry, facts }),
  };
};
