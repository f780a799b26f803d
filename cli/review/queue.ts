import type { Ecosystem } from '../../shared/domain/ecosystem.ts';
import { toVersionKey } from '../../shared/domain/package-id.ts';
import type { PackageListItem } from '../../shared/schemas/package.ts';
import { type Desk, untilInterrupted } from './desk.ts';

/** What a reviewer wants to see. */
export interface QueueFilter {
  readonly ecosystem?: Ecosystem;
  readonly search?: string;
}

/** A version in the queue, and how many wait in all. */
interface Waiting {
  readonly item: PackageListItem;
  readonly waiting: number;
}

const pageSize = 100;

/**
 * Finds the first version that was not looked at yet; undefined if there is none. Starts at the queue's beginning every
 * time: others take from it meanwhile, and an offset would then pass something over.
 */
export const findNextPending = async (
  desk: Desk,
  filter: QueueFilter,
  seen: ReadonlySet<string>,
): Promise<Waiting | undefined> => {
  const { client } = desk.session;
  for (let offset = 0; ; offset += pageSize) {
    const query = { ...filter, status: 'pending', limit: pageSize, offset } as const;
    const { packages, total } = await client.listPackages({ query }, untilInterrupted(desk));
    const item = packages.find((candidate) => !seen.has(toVersionKey(candidate)));
    if (item) return { item, waiting: total };
    if (offset + pageSize >= total) return undefined;
  }
};
