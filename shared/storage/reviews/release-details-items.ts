import { isDeepStrictEqual } from 'node:util';
import type { CollectedRelease } from '../../domain/facts/collected-facts.ts';
import type { Manifest } from '../../domain/facts/manifest.ts';
import { digestPinnedFiles } from '../../domain/facts/pinned-files.ts';
import type { ReleaseDetails } from '../../domain/facts/release-details.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { pack, unpack } from '../dynamodb/pack.ts';
import { getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem, type Write } from '../dynamodb/write.ts';

/**
 * Details of a version's publication, under the digest of its files. They are stored apart from the facts, so that they
 * change no digest of facts: approvals keep their pins.
 */
interface ReleaseDetailsItem {
  readonly v: string;
  readonly k: string;
  readonly details: Uint8Array;
}

const detailsTable = defineTable<ReleaseDetailsItem>('reviews');

/** Key prefix of details. It sorts before the review state, so that reads of the review file skip the details. */
const detailsPrefix = 'details#';

/** True if the key belongs to details of a version's publication. */
export const isOfReleaseDetails = (k: string): boolean => k.startsWith(detailsPrefix);

/** Maximum size of packed details in bytes. Real ones have 1 KB, and one read unit reads 4 KB. */
const maxDetailsBytes = 16 * 1024;

/** Returns the key of the details of some files; undefined if upstream shows no hashes. */
const toKey = (id: PackageId, manifest: Manifest) => {
  const files = digestPinnedFiles(manifest);
  return files === undefined ? undefined : { v: toVersionKey(id), k: `${detailsPrefix}${files}` };
};

/** Returns the details of a version with the files of a manifest; undefined if they are not stored. */
export const findReleaseDetails = async (
  id: PackageId,
  manifest: Manifest | null,
): Promise<ReleaseDetails | undefined> => {
  const key = manifest && toKey(id, manifest);
  const item = key ? await getItem(detailsTable, key, { eventual: true }) : undefined;
  return item && (unpack(item.details) as ReleaseDetails);
};

/**
 * Returns the write that stores the details of a version's publication; none if they are stored already, or too long.
 * Reads at most one item.
 */
export const putReleaseDetails = async (
  id: PackageId,
  { manifest, details }: CollectedRelease,
): Promise<Write[]> => {
  const key = manifest && details && toKey(id, manifest);
  if (!key) return [];
  const packed = pack(details);
  if (packed.length > maxDetailsBytes) return [];
  if (isDeepStrictEqual(await findReleaseDetails(id, manifest), details)) return [];
  return [putItem(detailsTable, { ...key, details: packed })];
};
