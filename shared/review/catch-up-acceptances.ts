import type { PackageId } from '../domain/package-id.ts';
import { isInScope } from '../domain/scans/acceptance.ts';
import { foldId } from '../domain/scans/merge.ts';
import { retry } from '../retry.ts';
import {
  AcceptanceOverError,
  findAcceptedIds,
  listAcceptances,
} from '../store/vulnerabilities/acceptances.ts';
import type { EvidenceContext } from './change-evidence.ts';
import { markVersion } from './mark-version.ts';

/**
 * Has the acceptances of vulnerabilities hold for a version that just turned out to have these: whoever accepted them
 * before could not know. Costs one small read where nothing is accepted.
 */
export const catchUpAcceptances = async (
  id: PackageId,
  vulnerabilityIds: readonly string[],
  context: EvidenceContext,
): Promise<void> => {
  const ids = [...new Set(vulnerabilityIds.map(foldId))];
  const catchUpOnce = async (): Promise<void> => {
    const accepted = await findAcceptedIds(ids);
    const lists = await Promise.all(accepted.map(listAcceptances));
    const wanted = lists
      .flat()
      .filter((one) => isInScope(one, id) && Date.parse(one.expires_at) > context.now.getTime());
    if (wanted.length > 0) await markVersion(id, wanted, context);
  };
  await retry(catchUpOnce, ({ error }) => {
    // Each time one more has ended, so this ends.
    if (error instanceof AcceptanceOverError) return 0;
    throw error;
  });
};
