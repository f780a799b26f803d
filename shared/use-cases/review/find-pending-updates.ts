import type { ListedVersion } from '../../api/schemas/listed.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import {
  findOlderUpdates,
  noOlderUpdates,
  type OlderUpdates,
} from '../../domain/review/older-updates.ts';
import type { Status } from '../../domain/review/status.ts';
import { parseVersionKey } from '../../storage/packages/parse-version-key.ts';
import { readUpdateRows } from '../../storage/reviews/read-review-rows.ts';
import { findRowOwner } from '../../storage/reviews/review-rows.ts';

/**
 * Returns the updates by the registry of which each has a newer pending one, for a list of versions with a status. Makes one
 * query, and none for decided versions. It reads 1,000 pending updates at most: further ones are no older updates. The index
 * worker writes their rows within seconds.
 */
export const findPendingUpdates = async (
  status: Status | 'all' | undefined,
): Promise<OlderUpdates> => {
  if (status === 'approved' || status === 'rejected') return noOlderUpdates;
  const rows = await readUpdateRows();
  const updates = rows.flatMap(({ k, cause }) => {
    const id = parseVersionKey(findRowOwner(k));
    return id ? [{ ...id, isFix: cause === 'security_fix' }] : [];
  });
  return findOlderUpdates(updates);
};

/** Returns the newer update of a version, and the older updates that it replaces in the queue. */
export const showUpdates = (
  id: PackageId,
  updates: OlderUpdates,
): Pick<ListedVersion, 'newer_update' | 'older_updates'> => ({
  newer_update: updates.findNewer(id) ?? null,
  older_updates: [...updates.listOlder(id)],
});
