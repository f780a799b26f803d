import type { Manifest } from '../../domain/facts/manifest.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import type { PackageItem } from '../../storage/packages/package-item.ts';
import { findVersion } from '../../storage/packages/write-version.ts';
import { findRecords } from '../../storage/reviews/facts-items.ts';
import { dropFrozen } from '../../storage/reviews/freeze.ts';
import { isKind } from './approved.ts';
import { type GateMoment, refuseUnpinned, refuseVersion } from './refusal.ts';

/**
 * Returns the version if it is approved at the given time, and no freeze refuses it; else undefined. Costs one call, and
 * another one during a freeze.
 */
export const findApproved = async (
  id: PackageId,
  { now, freeze }: GateMoment,
): Promise<PackageItem | undefined> => {
  const item = await findVersion(id);
  if (!item || statusAt(item, now) !== 'approved') return undefined;
  const [served] = await dropFrozen([item], freeze);
  return served;
};

/**
 * Returns the manifest that was pinned when the version was approved. Costs one call.
 * @throws {RegistryError} `not_pinned_yet` if the files of the version are unknown
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
 * Returns the pinned manifest of a version, after a check that the version is approved. Costs two calls.
 * @throws {RegistryError} `not_approved` if the version is not approved, `frozen` if a freeze refuses it,
 *   `not_pinned_yet` if its files are unknown
 */
export const findPinned = async <K extends Manifest['kind']>(
  kind: K,
  id: PackageId,
  moment: GateMoment,
): Promise<Extract<Manifest, { readonly kind: K }>> => {
  const item = await findApproved(id, moment);
  if (!item) throw await refuseVersion(id, moment);
  return readManifest(kind, item);
};
