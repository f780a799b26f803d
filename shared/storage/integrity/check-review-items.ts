import type { FindingKind } from '../../api/schemas/integrity.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { batchGet, getItem, scanPage } from '../dynamodb/read.ts';
import { defineTable, type ItemKey } from '../dynamodb/table.ts';
import { checkItem, deleteItem, ifUnchanged } from '../dynamodb/write.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { parseVersionKey } from '../packages/parse-version-key.ts';
import { toItemKey } from '../packages/version-keys.ts';
import { isAsRead } from '../packages/write-version.ts';
import { attentionPartition } from '../reviews/attention.ts';
import { duePartition } from '../reviews/due.ts';
import { belongsToReviewState, isOfMergedScan } from '../reviews/review-file.ts';
import {
  type ReviewState,
  reviewStateKey,
  reviewStatesTable,
  toReviewStateKey,
} from '../reviews/review-state.ts';
import { expectDueRow } from './check-due-rows.ts';
import { readSteadily } from './read-steadily.ts';
import type { CheckContext } from './tally.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const itemsAtATime = 500;

/** A head, a row, or what a slot found, as far as it tells one from another that comes in its place. */
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
  readonly kind: Extract<
    FindingKind,
    `orphaned_${'review_state' | 'due_row' | 'attention_row' | 'findings'}`
  >;
  readonly owner: PackageId | undefined;
}

/** What an item claims; nothing where it is none of those that belong to a version. */
const readClaim = (item: ReviewItem): Claim[] => {
  const { v, k } = item;
  if (v === duePartition) {
    const [_time, _kind, ...versionKey] = k.split('#');
    return [{ item, kind: 'orphaned_due_row', owner: parseVersionKey(versionKey.join('#')) }];
  }
  if (v === attentionPartition) {
    const [_since, ...versionKey] = k.split('#');
    return [{ item, kind: 'orphaned_attention_row', owner: parseVersionKey(versionKey.join('#')) }];
  }
  const owner = parseVersionKey(v);
  if (k === reviewStateKey) return [{ item, kind: 'orphaned_review_state', owner }];
  return isOfMergedScan(k) ? [{ item, kind: 'orphaned_findings', owner }] : [];
};

/** Whether a version has this item. What the item says is judged with the version. */
const isNeeded = (
  { kind, item }: Claim,
  version: PackageItem | undefined,
  head: ReviewState | undefined,
): boolean => {
  if (!version) return false;
  if (kind === 'orphaned_due_row') return expectDueRow(version)?.k === item.k;
  if (kind === 'orphaned_attention_row') return head?.attention === item.k;
  // A head that is not right is mended with all that belongs to it.
  return kind === 'orphaned_review_state' || !head || belongsToReviewState(head, item.k);
};

const isUnchanged = (item: ReviewItem | undefined) =>
  ifUnchanged(item, ['v', 'revision', 'evidence_revision']);

const pickKey = ({ v, k }: ReviewItem) => ({ v, k });

/** Deletes an item as it was seen, unless its version came or changed meanwhile. */
const deleteOrphan = (
  { item, owner, kind }: Claim,
  {
    version,
    head,
  }: { readonly version: PackageItem | undefined; readonly head: ReviewState | undefined },
  { deadline }: CheckContext,
): Promise<boolean> => {
  const check = version ? isAsRead(version) : ifUnchanged(undefined, ['name_key']);
  return transactUnlessChanged(
    [
      ...(owner ? [checkItem(packagesTable, toItemKey(owner), check)] : []),
      ...(owner && version && kind !== 'orphaned_due_row'
        ? [
            checkItem(
              reviewStatesTable,
              toReviewStateKey(owner),
              ifUnchanged(head, ['v', 'evidence_revision', 'revision']),
            ),
          ]
        : []),
      deleteItem(reviewsTable, pickKey(item), isUnchanged(item)),
    ],
    deadline,
  );
};

/** Judges an item that no version seemed to have: was its version only decided between two reads? */
const checkLease = async (claim: Claim, context: CheckContext): Promise<void> => {
  const { item, kind, owner } = claim;
  const read = async () => ({
    stored: await getItem(reviewsTable, pickKey(item)),
    head: owner && (await getItem(reviewStatesTable, toReviewStateKey(owner))),
  });
  const steady = owner
    ? await readSteadily(owner, read, context)
    : { version: undefined, kept: await read() };
  if (!steady) return;
  const { kept, version } = steady;
  const { stored, head } = kept;
  if (!stored || isNeeded(claim, version, head)) return;
  context.tally.find(kind, `${item.v} ${item.k}`);
  const orphan = { ...claim, item: stored };
  if (context.repair && (await deleteOrphan(orphan, { version, head }, context))) {
    context.tally.repair(1);
  }
};

/**
 * Looks at some items for those that no package version has.
 * @returns where to go on; undefined after the last one
 */
export const checkReviews = async (
  after: ItemKey | undefined,
  context: CheckContext,
): Promise<ItemKey | undefined> => {
  const page = await scanPage(reviewsTable, after, itemsAtATime);
  const claims = page.items.flatMap(readClaim);
  const keys = claims.flatMap(({ owner }) => (owner ? [toItemKey(owner)] : []));
  const versions = await batchGet(packagesTable, keys);
  const byKey = new Map(versions.map((version) => [version.version_key, version]));
  const heads = await batchGet(
    reviewStatesTable,
    claims.flatMap(({ owner, kind }) =>
      owner && kind !== 'orphaned_due_row' ? [toReviewStateKey(owner)] : [],
    ),
  );
  const headByKey = new Map(heads.map((head) => [{ v: '', ...head }.v, head]));
  for (const claim of claims) {
    const { owner } = claim;
    const version = owner && byKey.get(toItemKey(owner).version_key);
    const head = owner && headByKey.get(toReviewStateKey(owner).v);
    if (!isNeeded(claim, version, head)) await checkLease(claim, context);
  }
  context.tally.check('reviews', claims.length);
  return page.next;
};
