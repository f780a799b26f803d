import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { byEcosystem, ecosystems } from '../../../shared/ecosystems/ecosystem.ts';
import { createOriginClient } from '../../../shared/ecosystems/origin-client.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { createProvenanceCheck } from '../../../shared/use-cases/facts/check-provenance.ts';
import { collectFacts } from '../../../shared/use-cases/facts/collect-facts.ts';
import type { OciRegistry } from '../../support/oci-registry.ts';

const enoughTime = { remainingMs: () => 100_000 };

/** Runs the worker for an image of a registry, or of Docker Hub with the same content, as its schedule does. */
export const refreshImage = async (
  { url }: OciRegistry,
  id: PackageId,
  everyHours = 168,
): Promise<void> => {
  const { refresh_at } = await readReviewState(id);
  const client = createOriginClient({
    addresses: byEcosystem(ecosystems, () => `${url}/hub`),
    imageRegistries: ['registry.example.com', 'docker.io'].map((host) => ({ host, url })),
    timeoutMs: 20_000,
    backoffMs: 1,
  });
  await collectFacts(
    { Records: [{ messageId: '1', body: JSON.stringify({ ...id, due_at: refresh_at }) }] },
    {
      ask: client.collectFacts,
      fetchPackageList: client.fetchPackageList,
      findFirstPublication: async () => undefined,
      checkProvenance: createProvenanceCheck({ client, deadline: enoughTime }),
      followUp: async () => undefined,
      policy: defaultScanPolicy,
      everyHours,
      watchesRemovals: true,
      deadline: enoughTime,
    },
  );
};
