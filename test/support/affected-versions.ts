import { type PackageId, toVersionKey } from '../../shared/domain/packages/package-id.ts';
import { putItem } from '../../shared/storage/dynamodb/write.ts';
import { writeBatches } from '../../shared/storage/dynamodb/write-batches.ts';
import { affectedTable } from '../../shared/storage/vulnerabilities/affected.ts';
import { toAffectedKey } from '../../shared/storage/vulnerabilities/vulnerability-keys.ts';
import { createDeadline } from '../../shared/util/deadline.ts';

/** Stores that versions have a vulnerability, as the index of vulnerabilities does. */
export const putAffected = async (cve: string, versions: readonly PackageId[]): Promise<void> => {
  const effect = {
    ...({ status: 'approved', expires_at: null, severity: 'high', score: null } as const),
    ...{ fixed_versions: [], components: [], not_affecting: null, known_exploited: false },
    ...{ accepted_until: null, preferred: true, leaseNumber: 1 },
  };
  const rows = versions.map((id) =>
    putItem(affectedTable, { ...toAffectedKey(cve, toVersionKey(id)), ...id, ...effect }),
  );
  await writeBatches(rows, createDeadline(10_000));
};
