import type { Manifest } from '../../domain/facts/manifest.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import type { PackageItem } from '../../storage/packages/package-item.ts';
import { findVersion } from '../../storage/packages/write-version.ts';
import { findRecords } from '../../storage/reviews/facts-items.ts';
import { isKind } from './approved.ts';
import { refuseUnpinned, refuseVersion } from './refusal.ts';

/** A version where it is approved at a moment: one call. */
export const findApproved = async (id: PackageId, now: Date): Promise<PackageItem | undefined> => {
  const item = await findVersion(id);
  return item && statusAt(item, now) === 'approved' ? item : undefined;
};

/**
 * What the origin said of a version when it was approved: one call.
 * @throws {RegistryError} `not_pinned_yet` where nothing is known of its files
 */
export const readManifest = async <K extends Manifest['kind']>(
  kind: K,
  item: PackageItem,
): Promise<Extract<Manifest, { readonly kind: K }>> => {
  if (!item.pinned) throw refuseUnpinned(item);
  const records = await findRecords([{ ...item, digest: item.pinned }]);
  const { manifest } = records.get(toVersionKey(item)) ?? {};
  if (!isKind(manifest, kind)) throw refuseUnpinned(item);
  return manifest;
};

/**
 * The same of a version that may not be approved: two calls.
 * @throws {RegistryError} `not_approved`, and `not_pinned_yet` where nothing is known of its files
 */
export const findPinned = async <K extends Manifest['kind']>(
  kind: K,
  id: PackageId,
  now: Date,
): Promise<Extract<Manifest, { readonly kind: K }>> => {
  const item = await findApproved(id, now);
  if (!item) throw await refuseVersion(id, now);
  return readManifest(kind, item);
};
