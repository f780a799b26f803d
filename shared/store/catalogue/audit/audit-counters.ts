import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../../../config/env.ts';
import { dynamodb } from '../../dynamodb.ts';
import { ordinalCounterKey } from '../../keys.ts';
import { readRows } from '../browse.ts';
import { type CounterItem, readCounters, readLastCoarseBlock } from '../counters.ts';
import {
  blockOfCounter,
  type CatalogueKey,
  coarseKey,
  coarsePartition,
  fineKey,
  finePartition,
} from '../keys.ts';
import { type CatalogueLayout, pieceOf } from '../layout.ts';
import { type BrowseRow, cellOfRow, ordinalOf } from '../rows.ts';
import {
  type CellCounts,
  countCells,
  isSameCount,
  isUntouched,
  replaceShards,
  sumShards,
} from './counter-shards.ts';
import type { AuditContext } from './findings.ts';

const tries = 5;

/** One counter: its shards, and what they must add up to. Both are read anew for each attempt to judge it. */
interface AuditedCounter {
  readonly name: string;
  /** No new version can come: writers meet here no more, so one shard is enough. */
  readonly isClosed: boolean;
  readonly keyOf: (shard: number) => CatalogueKey;
  readonly readShards: () => Promise<CounterItem[]>;
  readonly readTruth: () => Promise<CellCounts>;
}

/** A counter that was found wrong and left so. */
interface Misjudged {
  readonly shards: readonly CounterItem[];
  readonly counts: CellCounts;
}

/**
 * Judges a counter by what it must be, read between two looks at its shards that show no writer at work.
 * @returns what it must be, if it is something else and was left so
 */
const auditCounter = async (
  counter: AuditedCounter,
  context: AuditContext,
): Promise<Misjudged | undefined> => {
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const shards = await counter.readShards();
    const counts = await counter.readTruth();
    if (!isUntouched(shards, await counter.readShards())) continue;
    const isRight = isSameCount(sumShards(shards), counts);
    const isFoldable = counter.isClosed && shards.length > 1;
    if (isRight && !(isFoldable && context.repair)) return undefined;
    if (!isRight && attempt === 0) context.tally.find('wrong_counter', counter.name);
    if (!context.repair) return { shards, counts };
    if (await replaceShards(shards, { keyOf: counter.keyOf, counts }, context.deadline)) {
      if (!isRight) context.tally.repair(1);
      return undefined;
    }
  }
  context.tally.leaveUnjudged();
  return undefined;
};

const readRange = (from: number, to: number, layout: CatalogueLayout): Promise<BrowseRow[]> =>
  readRows(
    { newestFirst: false },
    { partition: pieceOf(from, layout.partitionBits), from, to, count: to - from + 1 },
  );

const inBlock = (counters: readonly CounterItem[], block: number): CounterItem[] =>
  counters.filter((counter) => blockOfCounter(counter) === block);

/** The fine blocks of a coarse one whose counters and rows, read once for all, do not plainly agree, or can be folded. */
const doubtfulFineBlocks = async (
  coarse: number,
  { layout, tally, repair }: AuditContext,
): Promise<number[]> => {
  const { coarseBits, fineBits } = layout;
  const start = coarse * 2 ** coarseBits;
  const counters = await readCounters(finePartition(coarse));
  const rows = await readRange(start, start + 2 ** coarseBits - 1, layout);
  const rowsByBlock = Map.groupBy(rows, (row) => pieceOf(ordinalOf(row) - start, fineBits));
  const blocks = [...new Set([...rowsByBlock.keys(), ...counters.map(blockOfCounter)])];
  tally.check('counters', blocks.length + 1);
  return blocks.filter((block) => {
    const shards = inBlock(counters, block);
    const counts = countCells((rowsByBlock.get(block) ?? []).map(cellOfRow));
    return !isSameCount(sumShards(shards), counts) || (repair && shards.length > 1);
  });
};

const fineCounter = (
  coarse: number,
  { fine, newest, layout }: { fine: number; newest: number; layout: CatalogueLayout },
): AuditedCounter => {
  const from = coarse * 2 ** layout.coarseBits + fine * 2 ** layout.fineBits;
  const to = from + 2 ** layout.fineBits - 1;
  return {
    name: `ordinals ${from} to ${to}`,
    isClosed: to < newest,
    keyOf: (shard) => fineKey(coarse, fine, shard),
    readShards: async () => inBlock(await readCounters(finePartition(coarse)), fine),
    readTruth: async () => countCells((await readRange(from, to, layout)).map(cellOfRow)),
  };
};

const corrected = (counts: CellCounts, wrong: readonly Misjudged[]): CellCounts => {
  const right = new Map(counts);
  for (const { shards, counts: must } of wrong) {
    for (const [cell, count] of sumShards(shards)) {
      right.set(cell, (right.get(cell) ?? 0) - count + (must.get(cell) ?? 0));
    }
  }
  return right;
};

/** A coarse counter is judged by the fine ones, which have been judged by the rows: a wrong one by what it must be. */
const coarseCounter = (
  coarse: number,
  { newest, layout, wrong }: { newest: number; layout: CatalogueLayout; wrong: Misjudged[] },
): AuditedCounter => {
  const end = (coarse + 1) * 2 ** layout.coarseBits - 1;
  return {
    name: `coarse block ${coarse}`,
    isClosed: end < newest,
    keyOf: (shard) => coarseKey(coarse, shard),
    readShards: async () => inBlock(await readCounters(coarsePartition), coarse),
    readTruth: async () => corrected(sumShards(await readCounters(finePartition(coarse))), wrong),
  };
};

/** The newest ordinal that was drawn. */
const readNewestOrdinal = async (): Promise<number> => {
  const { Item } = await dynamodb.send(
    new GetCommand({
      TableName: tableName('packages'),
      Key: ordinalCounterKey,
      ConsistentRead: true,
    }),
  );
  return Number(Item?.['count'] ?? 0);
};

/**
 * Compares the counters of one coarse block with its rows.
 * @returns the next block; undefined after the last one
 */
export const auditCounters = async (
  block: number,
  context: AuditContext,
): Promise<number | undefined> => {
  const { layout } = context;
  const newest = await readNewestOrdinal();
  const wrong: Misjudged[] = [];
  for (const fine of await doubtfulFineBlocks(block, context)) {
    const left = await auditCounter(fineCounter(block, { fine, newest, layout }), context);
    if (left) wrong.push(left);
  }
  await auditCounter(coarseCounter(block, { newest, layout, wrong }), context);
  // After a restore, counters may go on beyond what was submitted.
  const last = Math.max(pieceOf(newest, layout.coarseBits), await readLastCoarseBlock());
  return block < last ? block + 1 : undefined;
};
