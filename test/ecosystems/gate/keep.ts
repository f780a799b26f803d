import { type Facts, noFacts } from '../../../shared/domain/facts/facts.ts';
import type { Manifest } from '../../../shared/domain/facts/manifest.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { updatePack } from '../../../shared/storage/packs/update-pack.ts';
import { saveFacts } from '../../../shared/use-cases/facts/save-facts.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';

/** Has the registry learn what the origin of a submitted version says. */
export const learn = (
  id: PackageId,
  manifest: Manifest | null,
  some: Partial<Facts> = {},
): Promise<void> =>
  saveFacts(
    id,
    {
      facts: {
        ...noFacts,
        found: 'yes',
        reason: null,
        published_at: '2024-01-01T00:00:00.000Z',
        ...some,
      },
      manifest,
    },
    {
      ...{ now: new Date(), policy: defaultScanPolicy, everyHours: 168 },
      deadline: { remainingMs: () => 30_000 },
    },
  );

export const decide = async (
  id: PackageId,
  to: 'approved' | 'rejected',
  some: { readonly expires_at?: string } = {},
): Promise<void> => {
  await decidePackage(id, { to, by: 'ana', reason: 'so it is', ...some }, writeContext());
};

/** Submits a version, learns what its origin says, and approves it. The worker then packs it. */
export const approveWith = async (id: PackageId, manifest: Manifest): Promise<void> => {
  await submitPackage(id, writeContext());
  await learn(id, manifest);
  await decide(id, 'approved');
  await updatePack(id, { now: new Date() });
};
