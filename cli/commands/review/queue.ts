import { RequestError } from '../../../shared/api/client/client.ts';
import type { PackageListItem, PackagePage } from '../../../shared/api/schemas/package.ts';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';
import { type Desk, untilInterrupted } from './desk.ts';

/** What a reviewer wants to see. */
export interface QueueFilter {
  readonly ecosystem?: Ecosystem;
  readonly search?: string;
  /** Only this package, or one version of it. */
  readonly only?: { readonly name: string; readonly version?: string };
}

/** A version in the queue, and how many wait in all. */
interface Waiting {
  readonly item: PackageListItem;
  readonly waiting: number;
}

const pageSize = 100;

/** One page of what is pending; an empty one of a package that nobody submitted. */
const listPending = async (
  desk: Desk,
  { only, search, ...filter }: QueueFilter,
  offset: number,
): Promise<Pick<PackagePage, 'packages' | 'total'>> => {
  const { client } = desk.session;
  const query = { ...filter, status: 'pending', limit: pageSize, offset } as const;
  const options = untilInterrupted(desk);
  if (!only)
    return client.listPackages({ query: { ...query, ...(search && { search }) } }, options);
  const { name, version } = only;
  const input = { path: { name }, query: { ...query, ...(version && { version }) } };
  try {
    return await client.listVersions(input, options);
  } catch (error) {
    const isUnknown = error instanceof RequestError && error.code === 'package_not_found';
    if (isUnknown) return { packages: [], total: 0 };
    throw error;
  }
};

/**
 * Finds the first version that was not looked at yet; undefined if there is none. Starts at the queue's beginning every
 * time: others take from it meanwhile, and an offset would then pass something over.
 */
export const findNextPending = async (
  desk: Desk,
  filter: QueueFilter,
  seen: ReadonlySet<string>,
): Promise<Waiting | undefined> => {
  for (let offset = 0; ; offset += pageSize) {
    const { packages, total } = await listPending(desk, filter, offset);
    const item = packages.find((candidate) => !seen.has(toVersionKey(candidate)));
    if (item) return { item, waiting: total };
    if (offset + pageSize >= total) return undefined;
  }
};
