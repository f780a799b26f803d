import { createHash } from 'node:crypto';
import { type PackageName, toPackageKey } from '../../domain/packages/package-id.ts';
import { type Ecosystem, ecosystems } from '../../ecosystems/ecosystem.ts';
import { compareOrder } from '../../util/compare-order.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { queryItems } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { parseVersionKey } from '../packages/parse-version-key.ts';

/** Refresh of upstream metadata that is due: of a package as a whole, or of one version if there is a `version`. */
export interface DueRefresh extends PackageName {
  readonly version?: string;
  /** ISO 8601 in UTC. */
  readonly refresh_at: string;
}

/**
 * Review state of a version or row of a package, as the index `by-refresh` has it. An item without `refresh_in` and
 * `refresh_at` has no refresh of its own, and is not in the index.
 */
interface IndexEntry {
  readonly v: string;
  readonly refresh_at: string;
  /** Name and version as submitted, as far as the key has other ones. */
  readonly spelling?: { readonly name: string; readonly version?: string };
}

const entriesTable = defineTable<IndexEntry>('reviews');

/**
 * Parts of the index for each ecosystem. A partition takes 1,000 writes a second. A submission makes one, and the first collection
 * of its metadata another one.
 */
const partsOfEcosystem = 4;

/** Returns a part of the index. An origin that is down delays no other ecosystem. */
const toPart = (ecosystem: Ecosystem, part: number): string => `${ecosystem}#${part}`;

/** Returns the part of the index with the refreshes of a package and its versions. */
export const toRefreshPart = ({ ecosystem, name }: PackageName): string => {
  const [byte = 0] = createHash('sha256').update(toPackageKey(ecosystem, name)).digest();
  return toPart(ecosystem, byte % partsOfEcosystem);
};

/** Returns the fields that schedule the refresh of a package or version; undefined ones if it has no refresh of its own. */
export const toRefreshFields = (id: PackageName, refreshAt: string | undefined) => ({
  refresh_in: refreshAt === undefined ? undefined : toRefreshPart(id),
  refresh_at: refreshAt,
});

const packagePrefix = '#package#';

/** Returns the partition of a package's row. No version key begins with `#`. */
export const toPackagePartition = ({ ecosystem, name }: PackageName): string =>
  `${packagePrefix}${toPackageKey(ecosystem, name)}`;

const parsePackagePartition = (v: string): PackageName | undefined => {
  const [first, name] = v.slice(packagePrefix.length).split('#');
  const ecosystem = ecosystems.find((one) => one === first);
  return ecosystem && name ? { ecosystem, name } : undefined;
};

const toDueRefresh = ({ v, refresh_at, spelling }: IndexEntry): DueRefresh[] => {
  const id = v.startsWith(packagePrefix) ? parsePackagePartition(v) : parseVersionKey(v);
  return id ? [{ ...id, ...spelling, refresh_at }] : [];
};

/** Some refreshes that are due, and the time from which the next ones are; undefined without further ones. */
interface DuePage {
  readonly due: DueRefresh[];
  readonly next: string | undefined;
}

/**
 * Returns the first refreshes of an ecosystem that are due at a time, the earliest first: at most `count`, and none that were due
 * before `after`. Omits entries that name no package. May miss changes of the last second.
 */
export const listDueRefreshes = async (
  ecosystem: Ecosystem,
  { after = '', until }: { readonly after?: string; readonly until: string },
  count: number,
): Promise<DuePage> => {
  const parts = Array.from({ length: partsOfEcosystem }, (_, part) => toPart(ecosystem, part));
  const entries = await runInParallel(parts, partsOfEcosystem, (part) =>
    queryItems(
      entriesTable,
      {
        IndexName: 'by-refresh',
        KeyConditionExpression: 'refresh_in = :part AND refresh_at BETWEEN :after AND :until',
        ExpressionAttributeValues: { ':part': part, ':after': after, ':until': until },
        ConsistentRead: false,
      },
      count,
    ),
  );
  const first = entries
    .flat()
    .toSorted((one, other) => compareOrder(one.refresh_at, other.refresh_at))
    .slice(0, count);
  return {
    due: first.flatMap(toDueRefresh),
    next: first.length < count ? undefined : first.at(-1)?.refresh_at,
  };
};
