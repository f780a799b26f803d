import type { PackageId, PackageName } from '../../domain/packages/package-id.ts';
import { canonicalizeVersion } from '../../domain/packages/package-version.ts';
import type { SnapshotVersion } from '../../domain/projects/snapshot.ts';
import { queryItems, queryPage, type Range } from '../dynamodb/read.ts';
import { deleteItem, putItem, type Write } from '../dynamodb/write.ts';
import {
  type RefId,
  readUseKey,
  toUseKey,
  toUsePartition,
  type UseRow,
  usesTable,
} from './project-items.ts';

/** Versions of a ref before and after a recording. */
interface SnapshotChange {
  readonly before: readonly SnapshotVersion[];
  readonly after: readonly SnapshotVersion[];
}

/** Returns a text for the key of a row, as the key of a map. */
export const formatUseKey = ({ p, k }: Pick<UseRow, 'p' | 'k'>): string => JSON.stringify([p, k]);

/** Returns the rows of the versions that a ref uses, by their formatted keys. */
export const makeUseRows = (
  id: RefId,
  versions: readonly SnapshotVersion[],
): ReadonlyMap<string, UseRow> =>
  new Map(
    versions.map((version) => {
      const row = { ...toUseKey(version, id), direct: version.direct };
      return [formatUseKey(row), row];
    }),
  );

/** Writes of the rows that a recording changes, and numbers of versions that it adds and removes. */
export interface RowChange {
  readonly writes: readonly Write[];
  readonly added: number;
  readonly removed: number;
}

/** Returns the writes of the rows that differ between two snapshots of a ref. Their repetition changes nothing. */
export const changeRows = (id: RefId, { before, after }: SnapshotChange): RowChange => {
  const [old, wanted] = [makeUseRows(id, before), makeUseRows(id, after)];
  const puts = [...wanted].filter(([key, { direct }]) => old.get(key)?.direct !== direct);
  const deletions = [...old].filter(([key]) => !wanted.has(key));
  return {
    writes: [
      ...puts.map(([, row]) => putItem(usesTable, row)),
      ...deletions.map(([, { p, k }]) => deleteItem(usesTable, { p, k })),
    ],
    added: puts.filter(([key]) => !old.has(key)).length,
    removed: deletions.length,
  };
};

/** Use of a package version by a ref of a project. */
export interface Use extends PackageId, RefId {
  readonly direct: boolean | null;
  /** Sort key of the row, after which a list continues. */
  readonly k: string;
}

/** Package whose uses are listed; with a version, only the uses of this version. */
type UsedPackage = PackageName & { readonly version?: string | undefined };

const toUse = ({ ecosystem, name }: PackageName, { k, direct }: UseRow): Use => ({
  ...{ ecosystem, name, ...readUseKey(k) },
  ...{ direct, k },
});

/** Returns the range of uses after a sort key; undefined if there can be none. */
const toRange = (of: UsedPackage, after: string | undefined): Range | undefined => {
  const ConsistentRead = false;
  const partition = toUsePartition(of);
  const start = after === undefined ? undefined : `${after} `;
  if (of.version === undefined) {
    return {
      KeyConditionExpression: start === undefined ? 'p = :package' : 'p = :package AND k > :start',
      ExpressionAttributeValues: {
        ':package': partition,
        ...(start !== undefined && { ':start': start }),
      },
      ConsistentRead,
    };
  }
  // A project's name begins with a letter or digit, which sorts before `~`.
  const prefix = `${canonicalizeVersion(of.ecosystem, of.version)}#`;
  const [first, last] = [start === undefined || start < prefix ? prefix : start, `${prefix}~`];
  // DynamoDB refuses a range that ends before it begins.
  if (last < first) return undefined;
  return {
    KeyConditionExpression: 'p = :package AND k BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':package': partition, ':first': first, ':last': last },
    ConsistentRead,
  };
};

/** Uses in the order of versions, projects and refs, and whether more may follow. */
export interface UsePage {
  readonly uses: readonly Use[];
  readonly hasMore: boolean;
}

/** Returns at most `limit` uses of a package or a version, after the sort key `after`, from one eventually consistent read. */
export const listUses = async (
  of: UsedPackage,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<UsePage> => {
  const range = toRange(of, after);
  if (!range) return { uses: [], hasMore: false };
  const { items, next } = await queryPage(usesTable, range, { limit, unitsAnItem: 1 });
  return { uses: items.map((row) => toUse(of, row)), hasMore: next !== undefined };
};

/** Maximum number of uses that a count reads. */
const maxCountedUses = 1000;

/** Number of projects that use packages or a version; a lower bound if `isComplete` is false. */
export interface UserCount {
  readonly projects: number;
  readonly isComplete: boolean;
}

/**
 * Returns the number of projects that use at least one of the packages, or one version of them. It reads at most 1,000 uses, with
 * eventually consistent queries one after the other.
 */
export const countProjects = async (packages: readonly UsedPackage[]): Promise<UserCount> => {
  const projects = new Set<string>();
  let left = maxCountedUses;
  for (const of of packages) {
    const range = toRange(of, undefined);
    const rows = range ? await queryItems(usesTable, range, left + 1) : [];
    for (const { k } of rows.slice(0, left)) projects.add(readUseKey(k).project);
    if (rows.length > left) return { projects: projects.size, isComplete: false };
    left -= rows.length;
  }
  return { projects: projects.size, isComplete: true };
};
