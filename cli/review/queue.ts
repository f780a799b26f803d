import type { RegistryClient } from '../../shared/client/client.ts';
import type { Ecosystem } from '../../shared/domain/ecosystem.ts';
import { packageVersionKey } from '../../shared/domain/package-id.ts';
import type { PackageListItem } from '../../shared/schemas/package.ts';

/** What a reviewer wants to see. */
export interface QueueFilter {
  readonly ecosystem?: Ecosystem;
  readonly search?: string;
}

/** The first in the queue that was not looked at yet, and how many wait in all. */
export interface Next {
  readonly item: PackageListItem;
  readonly waiting: number;
}

const pageSize = 100;

/**
 * Finds what to look at next; undefined if there is nothing more. Starts at the queue's beginning every time: others
 * take from it meanwhile, and an offset would then pass something over.
 */
export const nextPending = async (
  client: RegistryClient,
  filter: QueueFilter,
  seen: ReadonlySet<string>,
): Promise<Next | undefined> => {
  for (let offset = 0; ; offset += pageSize) {
    const query = { ...filter, status: 'pending', limit: pageSize, offset } as const;
    const { packages, total } = await client.listPackages({ query });
    const item = packages.find((candidate) => !seen.has(packageVersionKey(candidate)));
    if (item) return { item, waiting: total };
    if (offset + pageSize >= total) return undefined;
  }
};
