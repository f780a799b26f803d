import type { Deadline } from '../../util/deadline.ts';
import { transact } from '../dynamodb/transact.ts';
import { putAlone } from '../dynamodb/write-alone.ts';
import {
  checkLease,
  checkReviewState,
  findWanted,
  isSettled,
  makeList,
  PomsLeasedError,
  putList,
  readList,
  readPomList,
} from './pom-list.ts';
import { deletePomRow, putPomRow } from './pom-rows.ts';

const tries = 5;

/** Rows in one transaction, far below DynamoDB's limit: larger transactions conflict more often. */
const rowsAtATime = 40;

interface ListingOptions {
  readonly deadline: Deadline;
  /** True to write all rows again, even if the list is settled. */
  readonly anew?: boolean;
}

const listOnce = async (
  versionKey: string,
  { deadline, anew = false }: ListingOptions,
): Promise<void> => {
  const kept = await readPomList(versionKey);
  if (isSettled(kept) && !anew) return;
  const wanted = await findWanted(kept);
  const before = readList(kept);
  const all = [...new Set([...wanted.keys(), ...before])];
  const claimed = makeList(kept, { poms: all, settled: all.length === 0 });
  await transact([putList(claimed, kept.list), checkReviewState(kept)], deadline);
  for (let at = 0; at < all.length; at += rowsAtATime) {
    const writes = all.slice(at, at + rowsAtATime).map((coordinates) => {
      const checksums = wanted.get(coordinates);
      return checksums
        ? putPomRow(versionKey, coordinates, checksums)
        : deletePomRow(versionKey, coordinates);
    });
    await transact([checkLease({ v: versionKey, list: claimed }), ...writes], deadline);
  }
  if (claimed.settled) return;
  const settled = { ...makeList(kept, { poms: [...wanted.keys()], settled: true }) };
  await putAlone(putList(settled, claimed));
};

/**
 * Writes the POM rows that a version needs while it is approved and pinned, and deletes the others. An up-to-date
 * version costs one call. Interrupted work can be repeated, also by several workers at once.
 */
export const listPoms = async (versionKey: string, options: ListingOptions): Promise<void> => {
  for (let earlier = 0; ; earlier += 1) {
    try {
      return await listOnce(versionKey, options);
    } catch (error) {
      // Another worker took the lease, or the review state changed.
      if (!(error instanceof PomsLeasedError) || earlier === tries) throw error;
    }
  }
};
