import { type PackageName, toVersionKey } from '../../domain/packages/package-id.ts';
import { ecosystems } from '../../ecosystems/ecosystem.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { batchGet, getItem } from '../dynamodb/read.ts';
import { deleteItem } from '../dynamodb/write.ts';
import { deleteAlone } from '../dynamodb/write-alone.ts';
import { queryApproved } from '../packages/approved-versions.ts';
import { comparePack } from '../packs/compare-pack.ts';
import {
  isMark,
  isOfPack,
  isPackHead,
  listParts,
  type PackHead,
  type PackPart,
  packHeadsTable,
  packPartsTable,
  readPackageKey,
  toHeadKey,
} from '../packs/pack-items.ts';
import { findPackedPackage, updatePack } from '../packs/update-pack.ts';
import { reviewStateKey } from '../reviews/review-state.ts';
import { type Check, type CheckContext, ConflictError, makeProblem } from './check.ts';

/** Check of the packs, with which the gate lists the approved versions of a package. */

interface ReviewItem {
  readonly v: string;
  readonly k: string;
  /** In review states only. */
  readonly status?: unknown;
}

/** Time in which a worker writes a head that names a new part, in milliseconds. */
const writingMs = 15 * 60_000;

/** Returns the package of a pack's partition; undefined if the partition names none. */
const readPackage = (v: string): PackageName | undefined => {
  const [first, name = ''] = readPackageKey(v).split('#');
  const ecosystem = ecosystems.find((one) => one === first);
  return ecosystem && { ecosystem, name };
};

const parallelLooks = 10;

const checkPack = (of: PackageName): Check => {
  const example = `${of.ecosystem}#${of.name}`;
  return {
    subject: `pack of ${example}`,
    examine: async () => {
      const found = await comparePack(of);
      if (found === 'changed') throw new ConflictError();
      if (found === 'right') return [];
      const repair = (): Promise<void> => updatePack(of, { now: new Date(), anew: true });
      // A worker that has not come yet is no problem, but may also have been lost.
      if (found === 'late') return [{ findings: [], repair }];
      return [makeProblem({ kind: 'wrong_pack', example }, repair)];
    },
  };
};

/** True if the head of a pack names the part, or may name it soon. */
const isNeeded = ({ k, at }: PackPart, head: PackHead | undefined, now: Date): boolean => {
  const isNamed = head !== undefined && listParts(head).some((part) => part.k === k);
  return isNamed || Date.parse(at) > now.getTime() - writingMs;
};

const checkPart = ({ v, k }: ReviewItem, { now }: CheckContext): Check => ({
  subject: `part of a pack ${v} ${k}`,
  examine: async () => {
    const part = await getItem(packPartsTable, { v, k });
    const of = readPackage(v);
    const head = of && (await getItem(packHeadsTable, toHeadKey(of)));
    if (!part || isNeeded(part, head, now)) return [];
    return [
      makeProblem({ kind: 'orphaned_pack_part', example: `${v} ${k}` }, () =>
        deleteAlone(deleteItem(packPartsTable, { v, k })),
      ),
    ];
  },
});

/** True unless another approved version of the package is newer, and stands for the package in this check. */
const isNewest = async (of: PackageName, versionKey: string): Promise<boolean> => {
  const { items } = await queryApproved(of, { limit: 1, eventual: true });
  return items.every((item) => toVersionKey(item) === versionKey);
};

/**
 * Returns the packages of approved versions whose packs have no head. Pages and segments see the versions of a package apart: only
 * the newest version stands for it, so that each package is read and counted once.
 */
const findWithoutHead = async (items: readonly ReviewItem[]): Promise<PackageName[]> => {
  const approved = items
    .filter(({ k, status }) => k === reviewStateKey && status === 'approved')
    .flatMap(({ v }) => {
      const of = findPackedPackage(v);
      return of ? [{ v, of }] : [];
    });
  const keys = approved.map(({ of }) => toHeadKey(of));
  const heads = await batchGet(packHeadsTable, keys, { eventual: true });
  const known = new Set(heads.map(({ v }) => v));
  const without = approved.filter(({ of }) => !known.has(toHeadKey(of).v));
  const looks = await runInParallel(without, parallelLooks, ({ v, of }) => isNewest(of, v));
  return without.flatMap(({ of }, at) => (looks[at] ? [of] : []));
};

/**
 * Returns the checks of packs and their parts among the items. Packages of approved versions whose packs have no head are
 * checked too.
 */
export const listPackChecks = async (
  items: readonly ReviewItem[],
  context: CheckContext,
): Promise<Check[]> => {
  const inPacks = items.filter(({ v }) => isOfPack(v));
  const known = inPacks.filter((item) => isMark(item) || isPackHead(item));
  const packages = [
    ...known.flatMap(({ v }) => readPackage(v) ?? []),
    ...(await findWithoutHead(items)),
  ];
  const byKey = new Map(packages.map((of) => [toHeadKey(of).v, of]));
  return [
    ...[...byKey.values()].map(checkPack),
    ...inPacks
      .filter((item) => !isMark(item) && !isPackHead(item))
      .map((item) => checkPart(item, context)),
  ];
};
