import { isDeepStrictEqual } from 'node:util';
import { batchGet, getItem } from '../dynamodb/read.ts';
import { checkItem, ifUnchanged, putItem } from '../dynamodb/write.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { isAsRead } from '../packages/write-version.ts';
import { type DueItem, dueTable, type ExpiryDue, makeExpiryRow } from '../reviews/due.ts';
import { readSteadily } from './read-steadily.ts';
import { pickVersionKey } from './repair-version.ts';
import type { CheckContext } from './tally.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

/** Holds while a row is the one that was seen; where none was seen, while there is none. */
const isDueAsSeen = (row: DueItem | undefined) => ifUnchanged(row, ['v', 'revision']);

/** The row that a version must have, if it must have one. */
export const expectDueRow = (version: PackageItem): ExpiryDue | undefined =>
  makeExpiryRow(version, version.revision);

const pickKey = ({ v, k }: DueItem) => ({ v, k });

/** Judges the row of a version whose row was not right, and mends it: was it only decided between two reads? */
const checkDueRow = async (
  doubtful: PackageItem,
  must: DueItem,
  context: CheckContext,
): Promise<void> => {
  const steady = await readSteadily(doubtful, () => getItem(dueTable, pickKey(must)), context);
  if (!steady?.version) return;
  const { version, kept: stored } = steady;
  const expected = expectDueRow(version);
  // Decided since it was listed, with a row of its own in the same transaction.
  if (expected?.k !== must.k || isDeepStrictEqual(stored, expected)) return;
  context.tally.find('missing_due_row', `${version.ecosystem} ${version.name} ${version.version}`);
  const writes = [
    checkItem(packagesTable, pickVersionKey(version), isAsRead(version)),
    putItem(dueTable, expected, isDueAsSeen(stored)),
  ];
  if (context.repair && (await transactUnlessChanged(writes, context.deadline))) {
    context.tally.repair(1);
  }
};

/** Finds versions whose approval runs out without anything that would have it do so. */
export const checkDueRows = async (
  versions: readonly PackageItem[],
  context: CheckContext,
): Promise<void> => {
  const expected = versions.flatMap((version) => {
    const row = expectDueRow(version);
    return row ? [{ version, row }] : [];
  });
  const stored = await batchGet(
    dueTable,
    expected.map(({ row }) => pickKey(row)),
  );
  const byKey = new Map(stored.map((row) => [row.k, row]));
  for (const { version, row } of expected) {
    if (!isDeepStrictEqual(byKey.get(row.k), row)) await checkDueRow(version, row, context);
  }
};
