import {
  type PackageId,
  type PackageName,
  toVersionKey,
} from '../../domain/packages/package-id.ts';
import { type Freeze, isFrozen } from '../../domain/review/freeze.ts';
import { getItem } from '../dynamodb/read.ts';
import { isTooMuchToRead } from '../dynamodb/read-budget.ts';
import { defineTable } from '../dynamodb/table.ts';
import { deleteItem, ifUnchanged, putItem, type Write } from '../dynamodb/write.ts';
import { findNewestApproved } from '../packages/approved-versions.ts';
import { findReviewStates } from './review-state.ts';

/** The only row of its partition, while the registry is frozen. */
const freezeTable = defineTable<Freeze>('reviews');
const freezeKey = { v: '#freeze', k: 'freeze' };

const beginning = new Date(0).toISOString();

/** Freeze of all versions, for a damaged row. */
const unreadable: Freeze = {
  ...{ before: beginning, since: beginning, by: null, token_label: null },
  reason: 'The stored freeze is unreadable. Freeze the registry again, and then lift the freeze.',
};

const isWhole = ({ before, since, reason }: Freeze): boolean =>
  [before, since].every((time) => Number.isFinite(Date.parse(time))) && typeof reason === 'string';

/** Returns the freeze in force; undefined without one. Costs one read unit. A damaged row freezes all versions. */
export const readFreeze = async (): Promise<Freeze | undefined> => {
  const stored = await getItem(freezeTable, freezeKey);
  if (!stored) return undefined;
  if (!isWhole(stored)) return unreadable;
  const { before, reason, since, by, token_label } = stored;
  return { before, reason, since, by, token_label };
};

const cacheMs = 10_000;

let cached: { readonly freeze: Freeze | undefined; readonly at: number } | undefined;

/** Returns the freeze as of the last 10 seconds; undefined without one. */
export const readCachedFreeze = async (now: Date): Promise<Freeze | undefined> => {
  const at = now.getTime();
  // A clock may go back.
  if (!cached || Math.abs(at - cached.at) >= cacheMs) cached = { freeze: await readFreeze(), at };
  return cached.freeze;
};

/** Returns the write that freezes the registry, or replaces the freeze. */
export const putFreeze = (freeze: Freeze): Write =>
  putItem(freezeTable, { ...freezeKey, ...freeze });

/** Returns the write that lifts a freeze, if it is the stored one. */
export const deleteFreeze = ({ since }: Freeze, refuse: () => Error): Write =>
  deleteItem(freezeTable, freezeKey, { ...ifUnchanged({ since }, ['since']), refuse });

/** Returns the versions that a freeze does not refuse; none if the read budget of the request is used up. */
export const dropFrozen = async <Version extends PackageId>(
  versions: readonly Version[],
  freeze: Freeze | undefined,
): Promise<readonly Version[]> => {
  if (!freeze) return versions;
  try {
    const heads = await findReviewStates(versions, { eventual: true });
    return versions.filter((one) => !isFrozen(freeze, one, heads.get(toVersionKey(one))));
  } catch (error) {
    if (isTooMuchToRead(error)) return [];
    throw error;
  }
};

/**
 * Returns the approved versions that no freeze refuses, among those that one call of `limit` rows reads, newest first.
 * Returns none if the read budget is too small: the list is only a hint.
 */
export const findNewestServed = async (
  { ecosystem, name }: PackageName,
  { now, freeze }: { readonly now: Date; readonly freeze: Freeze | undefined },
  limit: number,
): Promise<readonly string[]> => {
  const approved = await findNewestApproved({ ecosystem, name }, now, limit);
  const ids = approved.map((version) => ({ ecosystem, name, version }));
  return (await dropFrozen(ids, freeze)).map(({ version }) => version);
};
