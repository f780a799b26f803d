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

/** Far from the most items that a transaction may have: more of them get into each other's way more often. */
const rowsAtATime = 40;

interface ListingOptions {
  readonly deadline: Deadline;
  /** Whether its rows are written although the list says that they are there. */
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
 * Has a version stand under the POMs that it leans on while it is approved and pinned, and under none otherwise. What is
 * listed already costs one call. It may end anywhere and be begun again, by several workers at once.
 */
export const listPoms = async (versionKey: string, options: ListingOptions): Promise<void> => {
  for (let earlier = 0; ; earlier += 1) {
    try {
      return await listOnce(versionKey, options);
    } catch (error) {
      // Another worker claimed it meanwhile, or its head changed.
      if (!(error instanceof PomsLeasedError) || earlier === tries) throw error;
    }
  }
};
