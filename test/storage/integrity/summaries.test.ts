/** Damages to the summaries of counters, and their repair. */
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import { readTableName } from '../../../shared/api/settings/env.ts';
import { createCatalogue } from '../../../shared/storage/catalogue/catalogue.ts';
import {
  toBreakdownKey,
  toLargeBucketKey,
  toSummaryKey,
} from '../../../shared/storage/catalogue/catalogue-keys.ts';
import { compactCounters } from '../../../shared/storage/catalogue/compact-counters.ts';
import { oldestFirst } from '../../../shared/storage/catalogue/order.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import type { StoredItem } from '../../../shared/storage/dynamodb/table.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { smallLayout } from '../catalogue/history.ts';
import { expectedPage, readTruth } from '../catalogue/oracle.ts';
import { indexReviews, readAll } from './reviewed-registry.ts';

const enoughTime = { remainingMs: () => 60_000 };
/** Two large buckets of 16 are full, in two shards each. */
const versions = 40;

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
  for (let at = 0; at < versions; at += 1) {
    const id = { ecosystem: 'npm', name: `package-${at}`, version: '1.0.0' } as const;
    const catalogue = { layout: smallLayout, shard: at % 2 };
    await submitPackage(id, { ...writeContext(), catalogue });
  }
});
afterEach(() => engine.close());

/** Runs the worker until the summary has the full buckets, with a breakdown in the summary or beside it. */
const compact = async (inlineBytes: number): Promise<void> => {
  for (let minute = 1; minute <= 8; minute += 1) {
    const readClock = () => minute * 60_000;
    await compactCounters({ deadline: enoughTime, layout: smallLayout, readClock, inlineBytes });
  }
};

const findSummary = async (): Promise<StoredItem> => {
  const { o } = toSummaryKey(0);
  const summary = (await readAll('catalogue')).find((item) => item['o'] === o);
  if (!summary) throw new Error('There is no summary');
  return summary;
};

const runCheck = async (repair: boolean) => {
  await indexReviews();
  return checkIntegrity(IntegrityReport.parse({ repair }), smallLayout, enoughTime);
};

const put = (item: StoredItem) =>
  dynamodb.send(new PutCommand({ TableName: readTableName('catalogue'), Item: item }));
const remove = (key: StoredItem) =>
  dynamodb.send(new DeleteCommand({ TableName: readTableName('catalogue'), Key: key }));

const listDeep = (offset: number) =>
  createCatalogue(smallLayout)({ order: oldestFirst, limit: 10, offset });

it('finds nothing in right summaries', async () => {
  await compact(1200);
  expect(await findSummary()).toMatchObject({ D: 31, m: 1 });

  expect((await runCheck(false)).found['wrong_counter']).toBe(0);
});

it.each([
  ['a wrong sum', 1200, (summary: StoredItem) => put({ ...summary, D: 33 })],
  ['a sum that is no number', 1200, (summary: StoredItem) => put({ ...summary, D: 'many' })],
  [
    'a damaged breakdown',
    1200,
    (summary: StoredItem) => put({ ...summary, x: Uint8Array.of(1, 2, 3) }),
  ],
  ['a lost breakdown', 0, () => remove(toBreakdownKey(0))],
  ['a breakdown of another generation', 0, (summary: StoredItem) => put({ ...summary, g: 'old' })],
  ['a lost summary', 1200, () => remove(toSummaryKey(0))],
  [
    'a wrong change beside the summary',
    1200,
    () => put({ ...toLargeBucketKey(1, 1), D: 1, u: 1, i: 'one' }),
  ],
] as const)('repairs %s', async (_, inlineBytes, damage) => {
  await compact(inlineBytes);
  await damage(await findSummary());
  expect((await runCheck(false)).found['wrong_counter']).toBeGreaterThan(0);

  await runCheck(true);

  expect(await runCheck(false)).toMatchObject({ done: true, found: { wrong_counter: 0 } });
  const truth = await readTruth();
  for (const offset of [0, 9, 17, 33]) {
    const query = { order: oldestFirst, limit: 10, offset };
    expect(await listDeep(offset)).toEqual(expectedPage(truth, query));
  }
  await compact(inlineBytes);
  expect((await runCheck(false)).found['wrong_counter']).toBe(0);
});

it('refuses a page that needs a lost breakdown, and shows all others', async () => {
  await compact(0);
  await remove(toBreakdownKey(0));

  await expect(listDeep(20)).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect((await listDeep(0)).total).toBe(versions);
});
