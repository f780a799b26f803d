import { isDeepStrictEqual } from 'node:util';
import type { FindingKind } from '../../api/schemas/integrity.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { readEventually } from '../dynamodb/eventual-reads.ts';
import { batchGet, getItem } from '../dynamodb/read.ts';
import { defineTable } from '../dynamodb/table.ts';
import { checkItem, deleteItem, ifUnchanged, putItem } from '../dynamodb/write.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { parseVersionKey } from '../packages/parse-version-key.ts';
import { toItemKey } from '../packages/version-keys.ts';
import { isAsRead } from '../packages/write-version.ts';
import { attentionPartition } from '../reviews/attention.ts';
import {
  type DueItem,
  duePartition,
  dueTable,
  type ExpiryDue,
  makeExpiryRow,
} from '../reviews/due.ts';
import { isOfReleaseDetails } from '../reviews/release-details-items.ts';
import { belongsToReviewState, isOfMergedScan } from '../reviews/review-file.ts';
import {
  type ReviewState,
  reviewStateKey,
  reviewStatesTable,
  toReviewStateKey,
} from '../reviews/review-state.ts';
import { isOfVersionChanges } from '../reviews/version-changes-item.ts';
import {
  type Check,
  type CheckContext,
  type Checks,
  definePhase,
  describeVersion,
  makeProblem,
  pickVersionKey,
  readTwice,
  readWithVersion,
  scanInPages,
  scanSegments,
  transactIfUnchanged,
} from './check.ts';

/** Check of the due rows of versions, and of review items that belong to no version. */

const pickKey = ({ v, k }: { readonly v: string; readonly k: string }) => ({ v, k });

/** Returns the due row that a version must have; undefined if its approval does not expire. */
const expectDueRow = (version: PackageItem): ExpiryDue | undefined =>
  makeExpiryRow(version, version.revision);

const putDueRow = (
  version: PackageItem,
  { expected, stored }: { readonly expected: DueItem; readonly stored: DueItem | undefined },
  { deadline }: CheckContext,
): Promise<void> =>
  transactIfUnchanged(
    [
      checkItem(packagesTable, pickVersionKey(version), isAsRead(version)),
      putItem(dueTable, expected, ifUnchanged(stored, ['v', 'revision'])),
    ],
    deadline,
  );

const checkDueRow = (id: PackageId, row: ExpiryDue, context: CheckContext): Check => ({
  subject: `due row of ${describeVersion(id)}`,
  examine: async () => {
    const read = await readWithVersion(id, () => readTwice(() => getItem(dueTable, pickKey(row))));
    const { version, stored } = read;
    const expected = version && expectDueRow(version);
    // A version with another row has a newer decision, whose transaction put that row.
    if (!expected || expected.k !== row.k || isDeepStrictEqual(stored, expected)) return [];
    return [
      makeProblem({ kind: 'missing_due_row', example: describeVersion(version) }, () =>
        putDueRow(version, { expected, stored }, context),
      ),
    ];
  },
});

/** Checks that each approval that expires has a due row. */
export async function* checkDueRows(
  versions: readonly PackageItem[],
  context: CheckContext,
): Checks {
  const expected = versions.flatMap((version) => {
    const row = expectDueRow(version);
    return row ? [{ version, row }] : [];
  });
  const keys = expected.map(({ row }) => pickKey(row));
  const stored = await readEventually(() => batchGet(dueTable, keys));
  const byKey = new Map(stored.map((row) => [row.k, row]));
  for (const { version, row } of expected) {
    if (!isDeepStrictEqual(byKey.get(row.k), row)) yield checkDueRow(version, row, context);
  }
}

const itemsAPage = 500;

/** An item of the table reviews, with the fields that distinguish it from another item at the same key. */
interface ReviewItem {
  readonly v: string;
  readonly k: string;
  readonly revision?: number;
  readonly evidence_revision?: number;
}

const reviewsTable = defineTable<ReviewItem>('reviews');

type OrphanKind = Extract<
  FindingKind,
  | 'orphaned_review_state'
  | 'orphaned_due_row'
  | 'orphaned_attention_row'
  | 'orphaned_findings'
  | 'orphaned_details'
>;

/** An item that must belong to a version, and the version that its key names; undefined if the key names none. */
interface OwnedItem {
  readonly item: ReviewItem;
  readonly kind: OrphanKind;
  readonly owner: PackageId | undefined;
}

/** Returns an item with its owner; nothing for items of other kinds. */
const toOwnedItems = (item: ReviewItem): OwnedItem[] => {
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
  if (isOfReleaseDetails(k) || isOfVersionChanges(k)) {
    return [{ item, kind: 'orphaned_details', owner }];
  }
  return isOfMergedScan(k) ? [{ item, kind: 'orphaned_findings', owner }] : [];
};

/** A version and its review state, if they exist. */
interface Owner {
  readonly version: PackageItem | undefined;
  readonly state: ReviewState | undefined;
}

/** Returns true if a version has this item. The content of the item is checked with the version. */
const isNeeded = ({ kind, item }: OwnedItem, { version, state }: Owner): boolean => {
  if (!version) return false;
  if (kind === 'orphaned_due_row') return expectDueRow(version)?.k === item.k;
  if (kind === 'orphaned_attention_row') return state?.attention === item.k;
  // The repair of a wrong review state includes its findings. Details depend on no review state.
  return kind === 'orphaned_review_state' || !state || belongsToReviewState(state, item.k);
};

/** Deletes an orphan. Fails if the item, its version or its review state changed. */
const deleteOrphan = (
  { item, owner, kind }: OwnedItem,
  { version, state }: Owner,
  { deadline }: CheckContext,
): Promise<void> => {
  const isVersionAsRead = version ? isAsRead(version) : ifUnchanged(undefined, ['name_key']);
  const isStateAsRead = ifUnchanged(state, ['v', 'evidence_revision', 'revision']);
  return transactIfUnchanged(
    [
      ...(owner ? [checkItem(packagesTable, toItemKey(owner), isVersionAsRead)] : []),
      ...(owner && version && kind !== 'orphaned_due_row'
        ? [checkItem(reviewStatesTable, toReviewStateKey(owner), isStateAsRead)]
        : []),
      deleteItem(
        reviewsTable,
        pickKey(item),
        ifUnchanged(item, ['v', 'revision', 'evidence_revision']),
      ),
    ],
    deadline,
  );
};

const checkOwnedItem = (suspect: OwnedItem, context: CheckContext): Check => {
  const { kind, owner } = suspect;
  const { v, k } = suspect.item;
  const readBoth = async () => ({
    item: await getItem(reviewsTable, { v, k }),
    state: owner && (await getItem(reviewStatesTable, toReviewStateKey(owner))),
  });
  return {
    subject: `review item ${v} ${k}`,
    examine: async () => {
      const read = owner
        ? await readWithVersion(owner, () => readTwice(readBoth))
        : { version: undefined, stored: await readBoth() };
      const { item, state } = read.stored;
      const found = { version: read.version, state };
      if (!item || isNeeded(suspect, found)) return [];
      return [
        makeProblem({ kind, example: `${v} ${k}` }, () =>
          deleteOrphan({ ...suspect, item }, found, context),
        ),
      ];
    },
  };
};

/** True for kinds whose need depends on the review state. */
const needsState = ({ kind }: OwnedItem): boolean =>
  kind === 'orphaned_attention_row' || kind === 'orphaned_findings';

/** Reads the owners of items, and returns those items that no version seems to need. */
const findOrphans = async (items: readonly OwnedItem[]): Promise<OwnedItem[]> => {
  const versions = await batchGet(
    packagesTable,
    items.flatMap(({ owner }) => (owner ? [toItemKey(owner)] : [])),
  );
  const versionByKey = new Map(versions.map((version) => [version.version_key, version]));
  const states = await batchGet(
    reviewStatesTable,
    items.filter(needsState).flatMap(({ owner }) => (owner ? [toReviewStateKey(owner)] : [])),
  );
  const stateByKey = new Map(states.map((state) => [{ v: '', ...state }.v, state]));
  return items.filter((item) => {
    const { owner } = item;
    const version = owner && versionByKey.get(toItemKey(owner).version_key);
    const state = owner && stateByKey.get(toVersionKey(owner));
    return !isNeeded(item, { version, state });
  });
};

/** Checks that each review state, its findings, due rows, attention rows and release details belong to a version. */
export const reviewsPhase = definePhase<ReviewItem>({
  segments: scanSegments,
  readPage: scanInPages(reviewsTable, itemsAPage),
  async *checkPage({ items }, context): Checks<number> {
    const owned = items.flatMap(toOwnedItems);
    const orphans = await readEventually(() => findOrphans(owned));
    for (const orphan of orphans) yield checkOwnedItem(orphan, context);
    return owned.length;
  },
});
