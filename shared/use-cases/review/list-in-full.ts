import type { ListedVersion } from '../../api/schemas/listed.ts';
import type { PackageListItem } from '../../api/schemas/package.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import type { OlderUpdates } from '../../domain/review/older-updates.ts';
import type { CataloguePage } from '../../storage/catalogue/browse.ts';
import type { CatalogueQuery } from '../../storage/catalogue/catalogue.ts';
import type { BatchOptions } from '../../storage/dynamodb/read.ts';
import { findRescanRound } from '../../storage/reviews/rescan-round.ts';
import { findReviewStates, type ReviewState } from '../../storage/reviews/review-state.ts';
import { findPendingUpdates } from './find-pending-updates.ts';
import type { ApprovalRules } from './judge-version.ts';
import { showListed } from './show-listed.ts';

type ListCatalogue = (query: CatalogueQuery) => Promise<CataloguePage>;

/** One page of versions in full, and the total number of matches. */
interface FullPage {
  readonly packages: ListedVersion[];
  readonly total: number;
  /** Number of matches that a newer update replaces; undefined for a search, and for other lists than those of pending versions. */
  readonly older_updates?: number;
}

/** Maximum number of list reads for one request. */
const mostReads = 3;

/** Returns a reader of full pages. It drops versions whose status has changed since their list row was written. */
const createReader = (list: ListCatalogue, query: CatalogueQuery, now: Date) => {
  const heads = new Map<string, ReviewState>();

  const matches = (item: PackageListItem): boolean => {
    const head = heads.get(toVersionKey(item));
    return !head || query.status === undefined || statusAt(head, now) === query.status;
  };

  /** True if the review state is at least as new as the list row, and matches the query. */
  const isSettled = (item: PackageListItem): boolean =>
    heads.get(toVersionKey(item))?.status === item.status && matches(item);

  const load = async (ids: readonly PackageId[], options: BatchOptions): Promise<void> => {
    if (ids.length === 0) return;
    for (const [key, head] of await findReviewStates(ids, options)) heads.set(key, head);
  };

  /**
   * Loads the review states of list rows. Eventually consistent reads cost half. The few that miss a submission or a decision are
   * read again, with those that do not match the query: they may have changed once more.
   */
  const learn = async (items: readonly PackageListItem[]): Promise<void> => {
    const unknown = items.filter((item) => !heads.has(toVersionKey(item)));
    await load(unknown, { eventual: true });
    await load(
      items.filter((item) => !isSettled(item)),
      {},
    );
  };

  const read = async (extra: number) => {
    const limit = query.limit + extra;
    const { packages, total } = await list({ ...query, limit });
    await learn(packages);
    const matching = packages.filter(matches);
    const dropped = packages.length - matching.length;
    return {
      packages: matching.slice(0, query.limit),
      total: total - dropped,
      dropped,
      isWhole: matching.length >= query.limit || packages.length < limit,
    };
  };

  return { heads, read };
};

/** Returns the number of older updates in a list of pending versions; nothing for a search, which they may not match. */
const countOlder = (
  { status, ecosystem, search }: CatalogueQuery,
  { all }: OlderUpdates,
): Pick<FullPage, 'older_updates'> => {
  if (status !== 'pending' || search) return {};
  const matching = all.filter((id) => ecosystem === undefined || id.ecosystem === ecosystem);
  return { older_updates: matching.length };
};

/** Returns a page, and the review states of its versions. */
const readPage = async (list: ListCatalogue, query: CatalogueQuery, now: Date) => {
  const { heads, read } = createReader(list, query, now);
  let page = await read(0);
  for (let reads = 1; !page.isWhole && reads < mostReads; reads += 1) {
    // The row of an expired approval remains until the due-work run. Read that many rows more to fill the page.
    page = await read(page.dropped);
  }
  return { ...page, heads };
};

/**
 * Returns one page of versions with the data for a decision on each. Versions that were decided after the list was read
 * are dropped, and not counted in `total`. To fill the page, the list is read again at most twice.
 */
export const listInFull = async (
  list: ListCatalogue,
  query: CatalogueQuery,
  { rules, now }: { readonly rules: ApprovalRules; readonly now: Date },
): Promise<FullPage> => {
  const [{ packages, total, heads }, updates, round] = await Promise.all([
    readPage(list, query, now),
    findPendingUpdates(query.status),
    findRescanRound(query.status),
  ]);
  return {
    packages: await showListed(packages, heads, { rules, updates, round, now }),
    total,
    ...countOlder(query, updates),
  };
};
