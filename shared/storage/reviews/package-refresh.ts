import type { ListValidator } from '../../domain/facts/list-validator.ts';
import type { PackageName } from '../../domain/packages/package-id.ts';
import { getItem, type ReadOptions } from '../dynamodb/read.ts';
import { defineTable, type ItemKey } from '../dynamodb/table.ts';
import { deleteItem, ifUnchanged, putItem, setFields, updateItem } from '../dynamodb/write.ts';
import { deleteAlone, putAlone, updateAlone } from '../dynamodb/write-alone.ts';
import { toPackagePartition, toRefreshPart } from './due-refreshes.ts';
import { EvidenceChangedError } from './review-state-writes.ts';

/** Comparison of a package's versions with one answer, which continues after a time limit. */
export interface ComparisonProgress {
  /** Digest of the answer that the earlier versions were compared with. */
  readonly digest: string | null;
  /** Key of the last version that was compared. */
  readonly after: ItemKey;
  /** Latest publication of an approved version so far, ISO 8601. */
  readonly youngest: string | null;
  /** False if a version with its own refresh differs from the answer. */
  readonly isExact: boolean;
}

/**
 * Row of a package whose approved versions are refreshed together, by the origin's list of its versions. A version with a
 * `refresh_at` of its own is refreshed alone.
 */
export interface PackageRefresh {
  readonly v: string;
  readonly k: string;
  /** Name as submitted. */
  readonly spelling: { readonly name: string };
  readonly refresh_in: string;
  /** Time of the next refresh, ISO 8601 in UTC. */
  readonly refresh_at: string;
  /** Number of times that a version joined: the optimistic lock of a comparison. */
  readonly joined: number;
  /** Time of the last answer that confirmed the metadata of all versions, ISO 8601; absent before the first one. */
  readonly checked_at?: string;
  /** Newest version upstream in that answer; null if the origin does not show one. */
  readonly newest_version?: string | null;
  /** Last answer with which all versions were compared; absent if a version joined since. */
  readonly validator?: ListValidator | undefined;
  /** Latest publication of an approved version, ISO 8601; absent if none is known. */
  readonly youngest?: string | undefined;
  /** Number of consecutive failures for a temporary reason; absent for none. */
  readonly failures?: number | undefined;
  readonly progress?: ComparisonProgress | undefined;
}

export const packageRefreshTable = defineTable<PackageRefresh>('reviews');

/** Returns the key of a package's row. */
export const toPackageRefreshKey = (id: PackageName) => ({
  v: toPackagePartition(id),
  k: 'refresh',
});

/** Returns the row of a package; undefined if none of its versions is refreshed with it. */
export const findPackageRefresh = (
  id: PackageName,
  options: ReadOptions = {},
): Promise<PackageRefresh | undefined> =>
  getItem(packageRefreshTable, toPackageRefreshKey(id), options);

/** True if the row of a package is in the schedule of refreshes. */
export const isPackageScheduled = (id: PackageName, row: Partial<PackageRefresh> = {}): boolean =>
  typeof row.refresh_at === 'string' && row.refresh_in === toRefreshPart(id);

const refuse = () => new EvidenceChangedError('The package changed in the meantime');

/** Returns the later one of two times; undefined if there is none. */
const findLater = (one: string | undefined, other: string | null): string | undefined =>
  other !== null && (one === undefined || other > one) ? other : one;

/**
 * Adds a version to the refreshes of its package, whose next refresh is at `refreshAt` or earlier. The next answer is compared
 * with all versions, since another one may have collected the metadata of this version. A comparison in progress may have passed
 * this version, and confirms no list.
 * @throws {EvidenceChangedError} if the row changed since it was read
 */
export const joinPackageRefresh = async (
  id: PackageName,
  { refreshAt, publishedAt }: { readonly refreshAt: string; readonly publishedAt: string | null },
): Promise<void> => {
  const key = toPackageRefreshKey(id);
  const row = await findPackageRefresh(id);
  const youngest = findLater(row?.youngest, publishedAt);
  if (!row) {
    const schedule = { refresh_in: toRefreshPart(id), refresh_at: refreshAt };
    const first = { ...key, ...schedule, spelling: { name: id.name }, joined: 1, youngest };
    return putAlone(
      putItem(packageRefreshTable, first, { ...ifUnchanged(undefined, ['v']), refuse }),
    );
  }
  const isEarlier = !isPackageScheduled(id, row) || refreshAt < row.refresh_at;
  return updateAlone(
    updateItem(packageRefreshTable, key, {
      change: setFields({
        joined: row.joined + 1,
        validator: undefined,
        ...(row.progress && { progress: { ...row.progress, isExact: false } }),
        ...(youngest !== undefined && { youngest }),
        ...(isEarlier && { refresh_in: toRefreshPart(id), refresh_at: refreshAt }),
      }),
      guard: { ...ifUnchanged(row, ['joined', 'refresh_at']), refuse },
    }),
  );
};

/**
 * Saves the outcome of a refresh and the time of the next one, in one write of 3 units.
 * @throws {EvidenceChangedError} if a version joined or another refresh ended since the row was read
 */
export const savePackageRefresh = (
  row: PackageRefresh,
  fields: Partial<PackageRefresh> & Pick<PackageRefresh, 'refresh_at'>,
): Promise<void> =>
  updateAlone(
    updateItem(
      packageRefreshTable,
      { v: row.v, k: row.k },
      {
        change: setFields({ ...fields }),
        guard: { ...ifUnchanged(row, ['joined', 'refresh_at']), refuse },
      },
    ),
  );

/**
 * Deletes the row of a package without approved versions.
 * @throws {EvidenceChangedError} if a version joined since the row was read
 */
export const deletePackageRefresh = (row: PackageRefresh): Promise<void> =>
  deleteAlone(
    deleteItem(
      packageRefreshTable,
      { v: row.v, k: row.k },
      { ...ifUnchanged(row, ['joined']), refuse },
    ),
  );
