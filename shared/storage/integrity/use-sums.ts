import { hash } from 'node:crypto';
import type { StoredSums } from '../../api/schemas/integrity.ts';
import type { SnapshotVersion } from '../../domain/projects/snapshot.ts';
import type { RefId, RefItem, UseRow } from '../projects/project-items.ts';
import { makeUseRows } from '../projects/use-rows.ts';
import { openSums, type Sums, startSums } from './sums.ts';

/**
 * Sums of checksums that show which refs of projects may have wrong uses, from one scan of the table. Each row is read
 * once, and no row is looked up.
 */

/** Number of ranges, each with the refs of one hash. All sums together have 16 KB. */
const ranges = 2 ** 12;

/** Text that counts the versions of a snapshot: once in the ref, and once in the content. */
const counted = 'version';

/** Sums of the uses that snapshots have minus the stored ones, by a hash of the ref: 0 if both are the same. */
export interface UseSums extends Pick<Sums, 'hasSuspects' | 'store'> {
  /** Adds the versions in a part of the current snapshot of a ref. */
  readonly addExpected: (id: RefId, versions: readonly SnapshotVersion[]) => void;
  /** Subtracts the number of versions in the current snapshot, so that a missing part shows. */
  readonly subtractCount: (id: RefId, ref: RefItem) => void;
  readonly subtractStored: (id: RefId, row: UseRow) => void;
  /** True if the ref may have wrong uses, or a snapshot that cannot be read. */
  readonly isSuspect: (id: RefId) => boolean;
}

const toText = ({ p, k, direct }: UseRow): string => JSON.stringify([p, k, direct]);

export const startUseSums = (): StoredSums => startSums(ranges);

/** Returns the sums of a check, to continue with. */
export const openUseSums = (stored: StoredSums): UseSums => {
  const sums = openSums(stored);
  const findRange = ({ project, ref }: RefId): number =>
    hash('sha256', `${project}#${ref}`, 'buffer').readUInt32LE(0) % sums.ranges;
  return {
    addExpected: (id, versions) => {
      const range = findRange(id);
      sums.add(range, counted, versions.length);
      for (const row of makeUseRows(id, versions).values()) sums.add(range, toText(row), 1);
    },
    subtractCount: (id, { current }) => sums.add(findRange(id), counted, -(current?.versions ?? 0)),
    subtractStored: (id, row) => sums.add(findRange(id), toText(row), -1),
    isSuspect: (id) => sums.isSuspect(findRange(id)),
    hasSuspects: sums.hasSuspects,
    store: sums.store,
  };
};
