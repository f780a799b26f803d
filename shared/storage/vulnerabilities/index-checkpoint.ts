import type { Deadline } from '../../util/deadline.ts';
import { maxPackedBytes, pack, unpack } from '../dynamodb/pack.ts';
import { defineTable, typeItem } from '../dynamodb/table.ts';
import { makeWriteId, transact } from '../dynamodb/transact.ts';
import { checkItem, deleteItem, ifUnchanged, putItem, type Write } from '../dynamodb/write.ts';
import { deleteAlone, putAlone } from '../dynamodb/write-alone.ts';
import { deleteListingDue, moveListingDue } from '../reviews/listing-due.ts';
import type { KeyedItem } from '../reviews/review-file.ts';
import type { StoredMergedScan } from './merged-scan-row.ts';

/**
 * Stored checkpoint of the listing of a version. A worker takes the lease before it lists the version, so that only the
 * last of several workers continues.
 */
interface CheckpointItem {
  readonly v: string;
  readonly k: string;
  /** Lease number. Each lease increases it, and nothing decreases it. */
  readonly leaseNumber: number;
  /** Id of the valid parts. Workers write parts before they take the lease: one transaction cannot take all parts. */
  readonly set: string;
  /** Number of part items of the merged scan. */
  readonly parts: number;
  /** Number of part items of the ids that were open when the parts were put. */
  readonly openParts: number;
  /** Number of these ids that are listed by now, from the first on. */
  readonly listed: number;
  /** Time of the due row that continues with the others; null if there is no due row. */
  readonly due_at: string | null;
}

/** Part of a packed value that is too large for one item. */
interface PartItem {
  readonly v: string;
  readonly k: string;
  readonly bytes: Uint8Array;
}

const checkpointTable = defineTable<CheckpointItem>('reviews');
const partsTable = defineTable<PartItem>('reviews');

/** Sort key of the checkpoint: after all items that a merged scan is made from, and before the checkpoint's parts. */
export const checkpointKey = 'synced';
export const lastCheckpointKey = 'synced~';

/** True if an item is the checkpoint of a version, or one of its parts. */
export const isIndexed = ({ k }: KeyedItem): boolean => k.startsWith(checkpointKey);

/** Checkpoint of the listing of a version: the listed merged scan, and the ids whose rows may not be written yet. */
export interface IndexCheckpoint {
  /** Lease number; 0 if the version was never listed. */
  readonly leaseNumber: number;
  /** Listed merged scan; undefined if there is none, or if a part is missing. */
  readonly mergedScan: StoredMergedScan | undefined;
  /** Ids whose rows may not be written yet. */
  readonly openIds: readonly string[];
  /** Time of the due row that continues with the open ids; null if there is no due row. */
  readonly dueAt: string | null;
  /** True if all parts were read. Otherwise some are lost, or another worker took the lease during the read. */
  readonly isWhole: boolean;
  /** Sort keys of all stored parts, also of workers that never got the lease. */
  readonly partKeys: readonly string[];
  /** Stored checkpoint; undefined if the version was never listed. */
  readonly item: CheckpointItem | undefined;
}

const toPrefixes = (set: string) => ({
  mergedScan: `${checkpointKey}#${set}#`,
  open: `${checkpointKey}-${set}#`,
});

/** Returns the value that parts contain together; undefined if some are missing, or `count` is 0. */
const join = (items: readonly KeyedItem[], prefix: string, count: number): unknown => {
  const parts = items
    .filter(({ k }) => k.startsWith(prefix))
    .map((item) => typeItem(partsTable, { ...item }).bytes);
  return count > 0 && parts.length === count ? unpack(Buffer.concat(parts)) : undefined;
};

/** Returns the checkpoint of a version from its items; an empty checkpoint if there is none. */
export const toIndexCheckpoint = (items: readonly KeyedItem[]): IndexCheckpoint => {
  const found = items.find(({ k }) => k === checkpointKey);
  const partKeys = items.map(({ k }) => k).filter((k) => k !== checkpointKey);
  if (!found) {
    const nothing = {
      leaseNumber: 0,
      mergedScan: undefined,
      openIds: [],
      dueAt: null,
      isWhole: true,
    };
    return { ...nothing, partKeys, item: undefined };
  }
  const item = typeItem(checkpointTable, { ...found });
  const { leaseNumber, set, parts, openParts, listed, due_at } = item;
  const prefixes = toPrefixes(set);
  const mergedScan = join(items, prefixes.mergedScan, parts) as StoredMergedScan | undefined;
  const openIds = join(items, prefixes.open, openParts) as string[] | undefined;
  return {
    ...{ leaseNumber, mergedScan, partKeys, item, dueAt: due_at },
    openIds: openIds?.slice(listed) ?? [],
    isWhole: Boolean(mergedScan) === parts > 0 && Boolean(openIds) === openParts > 0,
  };
};

const split = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / maxPackedBytes) }, (_, at) =>
    bytes.subarray(at * maxPackedBytes, (at + 1) * maxPackedBytes),
  );

const toPartKey = (prefix: string, at: number): string => `${prefix}${String(at).padStart(2, '0')}`;

const makeParts = (v: string, prefix: string, value: unknown): PartItem[] =>
  value === undefined
    ? []
    : split(pack(value)).map((bytes, at) => ({ ...{ v, bytes }, k: toPartKey(prefix, at) }));

const deleteParts = async (v: string, keys: readonly string[]): Promise<void> => {
  await Promise.all(keys.map((k) => deleteAlone(deleteItem(partsTable, { v, k }))));
};

/** Error of a lease that another worker took. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

const refuse = (): Error => new LeaseLostError('Another worker lists this version');

/** Returns the condition that a lease number is unchanged; for 0, that there is no checkpoint. */
const isLeaseHeld = ({ leaseNumber }: Pick<IndexCheckpoint, 'leaseNumber'>) => ({
  ...ifUnchanged(leaseNumber > 0 ? { leaseNumber } : undefined, ['leaseNumber']),
  refuse,
});

/** Lease of a version. */
export interface Lease {
  readonly v: string;
  readonly leaseNumber: number;
  /** Saves the number of ids that are listed, from the first on. The next worker continues after them. */
  readonly saveCursor: (listed: number) => Promise<void>;
  /** Marks the version as listed completely, and deletes its due row and the parts of its open ids. */
  readonly close: (deadline: Deadline) => Promise<void>;
}

/** Takes the lease of a version with an item, unless another worker took it since the checkpoint was read. */
const putLease = async (
  checkpoint: IndexCheckpoint,
  item: CheckpointItem,
  deadline: Deadline,
): Promise<Lease> => {
  const { v, leaseNumber, set, openParts, due_at } = item;
  await transact(
    [
      putItem(checkpointTable, item, isLeaseHeld(checkpoint)),
      ...moveListingDue(v, checkpoint.dueAt, due_at),
    ],
    deadline,
  );
  const isOurs = isLeaseHeld({ leaseNumber });
  return {
    ...{ v, leaseNumber },
    saveCursor: (listed) =>
      putAlone(putItem(checkpointTable, { ...item, listed: item.listed + listed }, isOurs)),
    close: async (before) => {
      const closed = { ...item, openParts: 0, listed: 0, due_at: null };
      await transact(
        [putItem(checkpointTable, closed, isOurs), ...moveListingDue(v, due_at, null)],
        before,
      );
      const { open } = toPrefixes(set);
      await deleteParts(
        v,
        Array.from({ length: openParts }, (_, at) => toPartKey(open, at)),
      );
    },
  };
};

/** Merged scan to list, and the ids to list it under. */
interface Intent {
  readonly mergedScan: StoredMergedScan | undefined;
  readonly ids: readonly string[];
  /** Time of the due row that continues with the ids that are left; null for no due row. */
  readonly dueAt: string | null;
}

/**
 * Takes the lease of a version, to list a merged scan under these ids. The parts are valid only with the lease. The
 * next lease deletes parts that never became valid.
 * @throws {LeaseLostError} if another worker took the lease since the checkpoint was read
 */
export const leaseIndexing = async (
  v: string,
  checkpoint: IndexCheckpoint,
  { mergedScan, ids, dueAt }: Intent,
  deadline: Deadline,
): Promise<Lease> => {
  const set = makeWriteId();
  const prefixes = toPrefixes(set);
  const parts = makeParts(v, prefixes.mergedScan, mergedScan);
  const openParts = makeParts(v, prefixes.open, ids);
  await Promise.all([...parts, ...openParts].map((part) => putAlone(putItem(partsTable, part))));
  const counts = { parts: parts.length, openParts: openParts.length, listed: 0 };
  const item = {
    v,
    k: checkpointKey,
    leaseNumber: checkpoint.leaseNumber + 1,
    set,
    ...counts,
    due_at: dueAt,
  };
  const lease = await putLease(checkpoint, item, deadline);
  // These parts belong to earlier leases, or to workers that can no longer take a lease.
  await deleteParts(v, checkpoint.partKeys);
  return lease;
};

/**
 * Takes the lease of a version, to continue with its open ids. The merged scan stays the same, so this writes one small
 * item, and the due row.
 * @throws {LeaseLostError} if another worker took the lease since the checkpoint was read
 */
export const resumeIndexing = (
  checkpoint: IndexCheckpoint,
  item: CheckpointItem,
  { dueAt, deadline }: { readonly dueAt: string | null; readonly deadline: Deadline },
): Promise<Lease> =>
  putLease(
    checkpoint,
    { ...item, leaseNumber: checkpoint.leaseNumber + 1, due_at: dueAt },
    deadline,
  );

/** Returns the check that no other worker has taken the lease of a version. */
export const checkLease = ({ v, leaseNumber }: Pick<Lease, 'v' | 'leaseNumber'>): Write =>
  checkItem(checkpointTable, { v, k: checkpointKey }, isLeaseHeld({ leaseNumber }));

/**
 * Deletes a due row that does not belong to the checkpoint of its version.
 * @throws {LeaseLostError} if another worker took the lease since the checkpoint was read
 */
export const dropStrayDue = (
  v: string,
  { leaseNumber }: IndexCheckpoint,
  { due_at, deadline }: { readonly due_at: string; readonly deadline: Deadline },
): Promise<void> =>
  transact([checkLease({ v, leaseNumber }), deleteListingDue(v, due_at)], deadline);
