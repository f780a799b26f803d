import { setTimeout as delay } from 'node:timers/promises';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type TableId, tableIds } from '../../api/resources.ts';
import { readTableName } from '../../api/settings/env.ts';
import type { Deadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { UnfinishedRunError } from '../../util/unfinished-run.ts';
import { type FormatItem, formatKey } from '../dynamodb/format-item.ts';
import { batchGet, scanPage } from '../dynamodb/read.ts';
import { defineTable, type ItemKey, type StoredItem } from '../dynamodb/table.ts';
import { ifUnchanged, putItem } from '../dynamodb/write.ts';
import { putAlone } from '../dynamodb/write-alone.ts';
import type { Migration, UpgradeItem } from './migrations.ts';
import { planMigration, type TablePlan, type TableState } from './plan-migration.ts';

/** Number of parts of a table that are upgraded at once, and of items in one read of a part. */
const segments = 8;
const pageSize = 100;
/** Items of one page that are written at once. */
const parallelWrites = 8;

export interface MigrationOptions {
  readonly migrations: readonly Migration[];
  /** Format after the migration. */
  readonly target: number;
  readonly deadline: Deadline;
  /** Milliseconds between the start of an upgrade and the first change, in which requests in progress end. */
  readonly drainMs: number;
}

/** Result of a migration: the number of changed items, by table. Tables without changes are left out. */
export type MigrationResult = Readonly<Partial<Record<TableId, number>>>;

type Upgrading = Extract<TablePlan, { action: 'upgrade' }>;

const formatItems = (id: TableId) => defineTable<FormatItem>(id);
const allItems = (id: TableId) => defineTable<StoredItem>(id);

const readState = async (id: TableId): Promise<TableState> => {
  const [format] = await batchGet(formatItems(id), [formatKey(id)]);
  const { items } =
    format === undefined
      ? await scanPage(allItems(id), { number: 0, of: 1 }, { start: undefined, limit: 1 })
      : { items: [] };
  return { id, name: readTableName(id), format, isEmpty: items.length === 0 };
};

/**
 * Writes the format of a table, if nobody else has written it since it was read.
 * @throws {UnfinishedRunError} if another run has
 */
const putFormat = async (
  id: TableId,
  next: FormatItem,
  seen: FormatItem | undefined,
): Promise<void> => {
  const item = { ...formatKey(id), ...next };
  const guard = ifUnchanged(seen, ['format', 'upgrading_to']);
  try {
    await putAlone(putItem(formatItems(id), item, guard));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // Such as the run of a deployment that was cancelled. The repetition reads what it has done.
    throw new UnfinishedRunError(
      `${id}: another run of the migration changed the format meanwhile`,
    );
  }
};

const applyAll = (item: StoredItem, upgrades: readonly UpgradeItem[]): StoredItem =>
  upgrades.reduce((current, upgrade) => upgrade(current), item);

/** Result of one page: changed items, and items that another request changed meanwhile. */
interface Tally {
  changed: number;
  contested: number;
}

const upgradeOne = async (
  { state: { id }, upgrades }: Upgrading,
  item: StoredItem,
  tally: Tally,
): Promise<void> => {
  const next = applyAll(item, upgrades);
  if (next === item) return;
  for (const name of Object.keys(formatKey(id))) {
    if (next[name] !== item[name]) throw new TypeError(`An upgrade of ${id} changes a key`);
  }
  try {
    await putAlone(putItem(allItems(id), next, ifUnchanged(item, Object.keys(item))));
    tally.changed += 1;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    // A request from before the deployment was still writing. The next pass reads the item again.
    tally.contested += 1;
  }
};

/** Upgrades one segment from a position. Returns the position for the next run, or null at the end. */
const upgradeSegment = async (
  plan: Upgrading,
  { number, position }: { readonly number: number; readonly position: ItemKey | undefined },
  { deadline, tally }: { readonly deadline: Deadline; readonly tally: Tally },
): Promise<ItemKey | null> => {
  let start = position;
  do {
    if (deadline.remainingMs() <= 0) return start ?? {};
    const segment = { number, of: segments };
    const page = await scanPage(allItems(plan.state.id), segment, { start, limit: pageSize });
    await runInParallel(page.items, parallelWrites, (item) => upgradeOne(plan, item, tally));
    start = page.next;
  } while (start);
  return null;
};

/** Upgrades all items of a table, in as many passes as other writers make necessary. */
const upgradeTable = async (
  plan: Upgrading,
  { target, deadline }: MigrationOptions,
): Promise<number> => {
  const { id, format: seen } = plan.state;
  const upgrading = { format: seen?.format ?? target, upgrading_to: target };
  // Positions of an upgrade to another format say nothing about this one.
  let positions = (seen?.upgrading_to === target && seen.positions) || [];
  let changed = 0;
  for (;;) {
    const tally = { changed: 0, contested: 0 };
    const numbers = Array.from({ length: segments }, (_, number) => number);
    const parts = plan.upgrades.length > 0 ? numbers : [];
    const ends = await runInParallel(parts, segments, async (number) => {
      const position = positions[number];
      if (position === null) return null;
      const isStart = position === undefined || Object.keys(position).length === 0;
      const from = { number, position: isStart ? undefined : position };
      return upgradeSegment(plan, from, { deadline, tally });
    });
    changed += tally.changed;
    if (ends.some((end) => end !== null)) {
      // A contested item is in a part that the next run would skip.
      const kept = tally.contested > 0 ? [] : ends;
      await putFormat(id, { ...upgrading, positions: kept }, upgrading);
      throw new UnfinishedRunError(`${id}: ${changed} items changed in this run`);
    }
    if (tally.contested === 0) break;
    positions = [];
  }
  await putFormat(id, { format: target }, upgrading);
  return changed;
};

/**
 * Brings all tables to the format of a release. All tables are marked first, so that no function of this release works with a
 * part of the data. An interrupted migration continues with the next call.
 * @throws {MigrationRefusedError} before the first change, if a table cannot have the format
 * @throws {UnfinishedRunError} at the deadline, or if another run migrates the same tables
 */
export const migrateTables = async (options: MigrationOptions): Promise<MigrationResult> => {
  const { target, drainMs } = options;
  const states = await Promise.all(tableIds.map(readState));
  const plans = planMigration(states, options);
  for (const { state, action } of plans) {
    if (action === 'number') await putFormat(state.id, { format: target }, undefined);
  }
  const upgrading = plans.filter((plan) => plan.action === 'upgrade');
  for (const { state } of upgrading) {
    const { format } = state;
    if (format === undefined || format.upgrading_to === target) continue;
    await putFormat(state.id, { format: format.format, upgrading_to: target }, format);
  }
  if (upgrading.some(({ state }) => state.format?.upgrading_to === undefined)) await delay(drainMs);
  const changed: [TableId, number][] = [];
  for (const plan of upgrading) changed.push([plan.state.id, await upgradeTable(plan, options)]);
  return Object.fromEntries(changed.filter(([, count]) => count > 0));
};
