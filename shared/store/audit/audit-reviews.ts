import type { PackageId } from '../../domain/package-id.ts';
import type { FindingKind } from '../../schemas/audit.ts';
import { toItemKey } from '../packages/keys.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { isAsRead } from '../packages/write-version.ts';
import { batchGet, getItem, scanPage } from '../read.ts';
import { type DueKind, duePartition } from '../reviews/due.ts';
import { headKey } from '../reviews/heads.ts';
import { defineTable, type ItemKey } from '../table.ts';
import { checkItem, deleteItem, isAsSeen } from '../write.ts';
import { expectDueRow } from './audit-due-rows.ts';
import type { AuditContext } from './findings.ts';
import { parseVersionKey } from './parse-version-key.ts';
import { readSteadily } from './read-steadily.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const itemsAtATime = 500;

/** A head or a due row, as far as it tells one from another that comes in its place. */
interface ReviewItem {
  readonly v: string;
  readonly k: string;
  readonly revision?: number;
  readonly evidence?: number;
}

const reviewsTable = defineTable<ReviewItem>('reviews');

/** An item, and the version that it says it belongs to; undefined where it can belong to none. */
interface Claim {
  readonly item: ReviewItem;
  readonly kind: Extract<FindingKind, 'orphaned_head' | 'orphaned_due'>;
  readonly owner: PackageId | undefined;
}

/** What an item claims; nothing where it is neither a head nor a due row. */
const readClaim = (item: ReviewItem): Claim[] => {
  const { v, k } = item;
  if (v === duePartition) {
    const [_time, kind, ...versionKey] = k.split('#');
    // What else is due belongs to no version.
    if (kind !== ('expiry' satisfies DueKind)) return [];
    return [{ item, kind: 'orphaned_due', owner: parseVersionKey(versionKey.join('#')) }];
  }
  return k === headKey ? [{ item, kind: 'orphaned_head', owner: parseVersionKey(v) }] : [];
};

/** Whether a version has this item. What the item says is judged with the version. */
const isNeeded = ({ kind, item }: Claim, version: PackageItem | undefined): boolean =>
  version !== undefined && (kind === 'orphaned_head' || expectDueRow(version)?.k === item.k);

const isUnchanged = (item: ReviewItem | undefined) => isAsSeen(item, ['v', 'revision', 'evidence']);

const pickKey = ({ v, k }: ReviewItem) => ({ v, k });

/** Deletes an item as it was seen, unless its version came or changed meanwhile. */
const deleteOrphan = (
  { item, owner }: Claim,
  version: PackageItem | undefined,
  { deadline }: AuditContext,
): Promise<boolean> => {
  const check = version ? isAsRead(version) : isAsSeen(undefined, ['name_key']);
  return transactUnlessChanged(
    [
      ...(owner ? [checkItem(packagesTable, toItemKey(owner), check)] : []),
      deleteItem(reviewsTable, pickKey(item), isUnchanged(item)),
    ],
    deadline,
  );
};

/** Judges an item that no version seemed to have: was its version only decided between two reads? */
const auditClaim = async (claim: Claim, context: AuditContext): Promise<void> => {
  const { item, kind, owner } = claim;
  const read = () => getItem(reviewsTable, pickKey(item));
  const steady = owner
    ? await readSteadily(owner, read, context)
    : { version: undefined, kept: await read() };
  if (!steady?.kept || isNeeded(claim, steady.version)) return;
  const { kept, version } = steady;
  context.tally.find(kind, `${item.v} ${item.k}`);
  if (context.repair && (await deleteOrphan({ ...claim, item: kept }, version, context))) {
    context.tally.repair(1);
  }
};

/**
 * Looks at some heads and due rows for those that no package version has.
 * @returns where to go on; undefined after the last one
 */
export const auditReviews = async (
  after: ItemKey | undefined,
  context: AuditContext,
): Promise<ItemKey | undefined> => {
  const page = await scanPage(reviewsTable, after, itemsAtATime);
  const claims = page.items.flatMap(readClaim);
  const keys = claims.flatMap(({ owner }) => (owner ? [toItemKey(owner)] : []));
  const versions = await batchGet(packagesTable, keys);
  const byKey = new Map(versions.map((version) => [version.version_key, version]));
  for (const claim of claims) {
    const version = claim.owner && byKey.get(toItemKey(claim.owner).version_key);
    if (!isNeeded(claim, version)) await auditClaim(claim, context);
  }
  context.tally.check('reviews', claims.length);
  return page.next;
};
