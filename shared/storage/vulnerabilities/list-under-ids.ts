import { isDeepStrictEqual } from 'node:util';
import type { Deadline } from '../../util/deadline.ts';
import { groupBy } from '../../util/group-by.ts';
import { exponentialDelay, retry } from '../../util/retry.ts';
import { batchGet } from '../dynamodb/read.ts';
import { defineTable, type ItemKey, typeItem } from '../dynamodb/table.ts';
import { makeWriteId, transact } from '../dynamodb/transact.ts';
import { deleteItem, ifUnchanged, putItem, type Write } from '../dynamodb/write.ts';
import { type AffectedRow, affectedTable, isSameRow } from './affected.ts';
import { changeCounter, countersTable, type VulnerabilityCounter } from './counter.ts';
import type { Description } from './description.ts';
import { moveListed } from './listed.ts';
import { toAffectedKey, toCounterKey, toPartition } from './vulnerability-keys.ts';

/** Many attempts: workers that list other versions under the same id change its counter, too. */
const attempts = 31;

/** Ids whose rows and counters are read at once. */
const idsAtATime = 40;
const delayMs = exponentialDelay({ firstMs: 10, longestMs: 500 });

/** Error of an optimistic lock: another worker changed the row or the counter. */
class CounterMovedError extends Error {
  override readonly name = 'CounterMovedError';
}

const refuse = (): Error =>
  new CounterMovedError('What is counted of a vulnerability changes all the time');

/** Expected row and description of a version under an id. Without `expected`, the version must have no row there. */
export interface Listing {
  readonly id: string;
  readonly versionKey: string;
  readonly expected: { readonly description: Description; readonly row: AffectedRow } | undefined;
}

/** Stored row of a version under an id, and the counter of that id. */
interface Stored {
  readonly row: AffectedRow | undefined;
  readonly counter: VulnerabilityCounter | undefined;
}

const itemsTable = defineTable<{ readonly v: string; readonly k: string }>('reviews');

const findStored = (
  { id, versionKey }: Listing,
  items: readonly { readonly v: string; readonly k: string }[],
): Stored => {
  const find = (key: ItemKey) => items.find(({ v, k }) => v === key['v'] && k === key['k']);
  const row = find(toAffectedKey(id, versionKey));
  const counter = find(toCounterKey(id));
  return {
    row: row && typeItem(affectedTable, { ...row }),
    counter: counter && typeItem(countersTable, { ...counter }),
  };
};

const readStored = async (listings: readonly Listing[]): Promise<Stored[]> => {
  const keys = listings.flatMap(({ id, versionKey }) => [
    toAffectedKey(id, versionKey),
    toCounterKey(id),
  ]);
  const items = await batchGet(itemsTable, keys);
  const byPartition = groupBy(items, ({ v }) => v);
  return listings.map((listing) =>
    findStored(listing, byPartition.get(toPartition(listing.id)) ?? []),
  );
};

/** Returns the condition that a row is unchanged since it was read, or still absent. */
const isRowAsRead = (row: AffectedRow | undefined) => ({
  ...ifUnchanged(row, ['v', 'leaseNumber']),
  refuse,
});
const isCounterAsRead = (counter: VulnerabilityCounter | undefined) => ({
  ...ifUnchanged(counter, ['v', 'stamp']),
  refuse,
});

/** Returns the writes that replace a row, its counter, and the list rows of that counter. */
const replace = (
  { id, versionKey, expected }: Listing,
  { row, counter }: Stored,
  next: VulnerabilityCounter | undefined,
): Write[] => [
  expected
    ? putItem(affectedTable, expected.row, isRowAsRead(row))
    : deleteItem(affectedTable, toAffectedKey(id, versionKey), isRowAsRead(row)),
  next
    ? putItem(countersTable, next, isCounterAsRead(counter))
    : deleteItem(countersTable, toCounterKey(id), isCounterAsRead(counter)),
  ...moveListed(counter, next),
];

/** Returns the writes that make the row and the counter of an id as expected; an empty list if they are. */
const makeWrites = (listing: Listing, stored: Stored): Write[] => {
  const { id, versionKey, expected } = listing;
  const change = {
    before: stored.row,
    after: expected?.row,
    versionKey,
    description: expected?.description,
  };
  const counted = changeCounter(stored.counter, change);
  const next = counted && { ...toCounterKey(id), stamp: makeWriteId(), ...counted };
  const isCounted = isDeepStrictEqual(
    next && { ...next, stamp: '' },
    stored.counter && { ...stored.counter, stamp: '' },
  );
  if (isCounted && isSameRow(stored.row, expected?.row)) return [];
  return replace(listing, stored, next);
};

/** Conditions and time limit of a listing. */
interface Terms {
  /** Condition of each transaction: the version's lease. */
  readonly check: Write;
  readonly deadline: Deadline;
}

/** Lists a version under one id. Reads the row and the counter again if another worker changed them. */
const listUnderId = async (
  listing: Listing,
  read: Stored | undefined,
  { check, deadline }: Terms,
): Promise<void> => {
  let stored = read;
  const listOnce = async (): Promise<void> => {
    const [now] = stored ? [stored] : await readStored([listing]);
    stored = undefined;
    const writes = now ? makeWrites(listing, now) : [];
    if (writes.length > 0) await transact([check, ...writes], deadline);
  };
  await retry(listOnce, {
    ...{ attempts, delayMs, jitter: 1 },
    isRetryable: (error) => error instanceof CounterMovedError,
  });
};

/**
 * Lists a version under ids. One transaction for each id writes its row, its counter and its rows in the sorted lists.
 * Concurrent changes of a counter come before or after that transaction.
 */
export const listUnderIds = async (listings: readonly Listing[], terms: Terms): Promise<void> => {
  for (let at = 0; at < listings.length; at += idsAtATime) {
    const some = listings.slice(at, at + idsAtATime);
    const stored = await readStored(some);
    // In sequence: all transactions check the same item, and DynamoDB rejects concurrent transactions on one item.
    for (const [place, listing] of some.entries()) {
      await listUnderId(listing, stored[place], terms);
    }
  }
};
