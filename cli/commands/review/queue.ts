import { RequestError } from '../../../shared/api/client/client.ts';
import type { PackageListItem, PackagePage } from '../../../shared/api/schemas/package.ts';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import type { Ecosystem } from '../../../shared/ecosystems/ecosystem.ts';
import { type ReviewSession, untilInterrupted } from './review-session.ts';

/** The filter of a review. */
export interface QueueFilter {
  readonly ecosystem?: Ecosystem;
  readonly search?: string;
  /** Only versions of this batch. */
  readonly batch?: string;
  /** Only this package, or one version of it. */
  readonly only?: { readonly name: string; readonly version?: string };
}

/** A pending version, and the number of pending versions. */
interface Waiting {
  readonly item: PackageListItem;
  readonly waiting: number;
}

const pageSize = 100;

/**
 * Reads the pending versions of a batch, page by page, until one is new to the reviewer. The list has no total, so that the
 * versions before it count, and those of its page.
 */
const findNextOfBatch = async (
  review: ReviewSession,
  { batch, ecosystem }: QueueFilter & { readonly batch: string },
  seen: ReadonlySet<string>,
): Promise<Waiting | undefined> => {
  const query = { batch, ...(ecosystem && { ecosystem }) };
  let waiting = 0;
  for (let after: string | null | undefined; after !== null; ) {
    const input = { query: { ...query, ...(after && { after }) } };
    const page = await review.session.client.listReviews(input, untilInterrupted(review));
    waiting += page.reviews.length;
    const item = page.reviews.find((candidate) => !seen.has(toVersionKey(candidate)));
    if (item) return { item, waiting };
    after = page.next;
  }
  return undefined;
};

/** Reads a page of pending versions; an empty page for a package that is not in the registry. */
const listPending = async (
  review: ReviewSession,
  { only, search, batch: _, ...filter }: QueueFilter,
  offset: number,
): Promise<Pick<PackagePage, 'packages' | 'total'>> => {
  const { client } = review.session;
  const query = { ...filter, status: 'pending', limit: pageSize, offset } as const;
  const options = untilInterrupted(review);
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
 * Finds the first pending version that the reviewer has not seen; undefined without one. It always starts at the first page:
 * concurrent decisions shift offsets, so that a later page could miss versions.
 */
export const findNextPending = async (
  review: ReviewSession,
  filter: QueueFilter,
  seen: ReadonlySet<string>,
): Promise<Waiting | undefined> => {
  const { batch } = filter;
  if (batch !== undefined) return findNextOfBatch(review, { ...filter, batch }, seen);
  for (let offset = 0; ; offset += pageSize) {
    const { packages, total } = await listPending(review, filter, offset);
    const item = packages.find((candidate) => !seen.has(toVersionKey(candidate)));
    if (item) return { item, waiting: total };
    if (offset + pageSize >= total) return undefined;
  }
};
