import { statusAt } from '../domain/expiry.ts';
import type { Manifest } from '../domain/facts/manifest.ts';
import { type PackageId, toVersionKey } from '../domain/package-id.ts';
import { findVersion } from '../store/packages/write-version.ts';
import { findRecords } from '../store/reviews/facts.ts';
import { isKind } from './approved.ts';
import { refuseUnpinned, refuseVersion } from './refusal.ts';

/**
 * What the origin said of a version when it was approved: two calls.
 * @throws {RegistryError} `not_approved`, and `not_pinned_yet` where nothing is known of its files
 */
export const findPinned = async <K extends Manifest['kind']>(
  kind: K,
  id: PackageId,
  now: Date,
): Promise<Extract<Manifest, { readonly kind: K }>> => {
  const item = await findVersion(id);
  if (!item || statusAt(item, now) !== 'approved') throw await refuseVersion(id, now);
  if (!item.pinned) throw refuseUnpinned(id);
  const records = await findRecords([{ ...id, digest: item.pinned }]);
  const { manifest } = records.get(toVersionKey(id)) ?? {};
  if (!isKind(manifest, kind)) throw refuseUnpinned(id);
  return manifest;
};
