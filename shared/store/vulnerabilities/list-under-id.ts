import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Deadline } from '../../deadline.ts';
import { longestPauseMs } from '../../retry.ts';
import { batchGet } from '../read.ts';
import { defineTable, typeItem } from '../table.ts';
import { makeWriteId, transact } from '../transact.ts';
import { deleteItem, isAsSeen, putItem, type Write } from '../write.ts';
import { type AffectedRow, affectedTable } from './affected.ts';
import { changeCounter, countersTable, type VulnerabilityCounter } from './counter.ts';
import { toAffectedKey, toCounterKey } from './keys.ts';
import { moveListed } from './listed.ts';
import type { Telling } from './telling.ts';

/** Others list their versions under the same id at the same time, each of which moves what is counted of it. */
const tries = 30;
const pauses = { firstMs: 10, longestMs: 500 };

/** Another worker has changed what is counted of the vulnerability. */
class CounterMovedError extends Error {
  override readonly name = 'CounterMovedError';
}

const refuse = (): Error =>
  new CounterMovedError('What is counted of a vulnerability changes all the time');

/** What a version is to have under an id; nothing told: nothing. */
export interface Listing {
  readonly id: string;
  readonly versionKey: string;
  readonly told: { readonly telling: Telling; readonly row: AffectedRow } | undefined;
}

interface Stored {
  readonly row: AffectedRow | undefined;
  readonly counter: VulnerabilityCounter | undefined;
}

const itemsTable = defineTable<{ readonly k: string }>('reviews');

const readStored = async ({ id, versionKey }: Listing): Promise<Stored> => {
  const items = await batchGet(itemsTable, [toAffectedKey(id, versionKey), toCounterKey(id)]);
  const [row, counter] = [versionKey, toCounterKey(id).k].map((key) =>
    items.find(({ k }) => k === key),
  );
  return {
    row: row && typeItem(affectedTable, { ...row }),
    counter: counter && typeItem(countersTable, { ...counter }),
  };
};

/** Holds while a row or counter is the one that was read, or none was and none is. */
const isRowAsRead = (row: AffectedRow | undefined) => ({
  ...isAsSeen(row, ['v', 'claim']),
  refuse,
});
const isCounterAsRead = (counter: VulnerabilityCounter | undefined) => ({
  ...isAsSeen(counter, ['v', 'stamp']),
  refuse,
});

const replace = (
  { id, versionKey, told }: Listing,
  { row, counter }: Stored,
  next: VulnerabilityCounter | undefined,
): Write[] => [
  told
    ? putItem(affectedTable, told.row, isRowAsRead(row))
    : deleteItem(affectedTable, toAffectedKey(id, versionKey), isRowAsRead(row)),
  next
    ? putItem(countersTable, next, isCounterAsRead(counter))
    : deleteItem(countersTable, toCounterKey(id), isCounterAsRead(counter)),
  ...moveListed(counter, next),
];

const isSame = (one: AffectedRow | undefined, other: AffectedRow | undefined): boolean =>
  isDeepStrictEqual(one && { ...one, claim: 0 }, other && { ...other, claim: 0 });

/** What has to be written so that a version is listed under an id as it is told; nothing where it is. */
const makeWrites = (listing: Listing, stored: Stored): Write[] => {
  const { id, versionKey, told } = listing;
  const change = { before: stored.row, after: told?.row, versionKey, told: told?.telling };
  const counted = changeCounter(stored.counter, change);
  const next = counted && { ...toCounterKey(id), stamp: makeWriteId(), ...counted };
  const isCounted = isDeepStrictEqual(
    next && { ...next, stamp: '' },
    stored.counter && { ...stored.counter, stamp: '' },
  );
  if (isCounted && isSame(stored.row, told?.row)) return [];
  return replace(listing, stored, next);
};

/**
 * Lists a version under one id of what it has: its row, what is counted, and the lists, all or nothing. Whoever else
 * changes what is counted meanwhile comes before or after.
 * @param check what must hold of the version
 */
export const listUnderId = async (
  listing: Listing,
  check: Write,
  deadline: Deadline,
): Promise<void> => {
  for (let earlier = 0; ; earlier += 1) {
    const writes = makeWrites(listing, await readStored(listing));
    if (writes.length === 0) return;
    try {
      return await transact([check, ...writes], deadline);
    } catch (error) {
      if (!(error instanceof CounterMovedError) || earlier === tries) throw error;
      await delay(Math.random() * longestPauseMs(earlier, pauses));
    }
  }
};
