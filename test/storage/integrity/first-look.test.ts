import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import { defaultLayout } from '../../../shared/storage/catalogue/layout.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import type { StoredItem } from '../../../shared/storage/dynamodb/table.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { fillRegistry, findReview, nothing, put, readAll, remove } from './reviewed-registry.ts';

/** The first look of the integrity check is eventually consistent: it shows only what a second look must confirm. */

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
  await fillRegistry();
});
afterAll(() => engine.close());
afterEach(() => dynamodb.middlewareStack.remove('answerStale'));

interface ReadInput {
  readonly ConsistentRead?: boolean;
  readonly RequestItems?: Readonly<Record<string, { readonly ConsistentRead?: boolean }>>;
}

interface ReadAnswer {
  Item?: unknown;
  Items?: unknown[];
  Responses?: Record<string, unknown[]>;
}

const isEventual = ({ ConsistentRead, RequestItems }: ReadInput): boolean =>
  RequestItems
    ? Object.values(RequestItems).some((one) => one.ConsistentRead === false)
    : ConsistentRead === false;

/** Lets eventually consistent reads by key and queries miss every item, as if all were written within the last second. */
const answerStale = (): { readonly count: () => number } => {
  let reads = 0;
  dynamodb.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const answered = await next(args);
        if (!isEventual(args.input as ReadInput) || /Scan/.test(commandName)) return answered;
        reads += 1;
        const output = answered.output as ReadAnswer;
        delete output.Item;
        if (output.Items) output.Items = [];
        for (const table of Object.keys(output.Responses ?? {})) {
          output.Responses = { ...output.Responses, [table]: [] };
        }
        return answered;
      },
    { step: 'initialize', name: 'answerStale' },
  );
  return { count: () => reads };
};

const check = (repair: boolean): Promise<IntegrityReport> =>
  checkIntegrity(IntegrityReport.parse({ repair }), defaultLayout, { remainingMs: () => 60_000 });

const readTables = async (): Promise<StoredItem[][]> =>
  Promise.all((['packages', 'catalogue', 'reviews', 'events'] as const).map(readAll));

it('reports and repairs nothing that only a stale read shows', async () => {
  const before = await readTables();
  const stale = answerStale();

  const { found, repaired, unjudged } = await check(true);

  expect(stale.count()).toBeGreaterThan(5);
  expect({ found, repaired, unjudged }).toEqual({ found: nothing, repaired: 0, unjudged: 0 });
  expect(await readTables()).toEqual(before);
});

it('finds what both reads show', async () => {
  const state = await findReview('npm#approved#1.0.0', 'head');
  await remove('reviews', { v: 'npm#approved#1.0.0', k: 'head' });
  answerStale();

  const { found } = await check(false);

  await put('reviews', state);
  expect(found).toEqual({ ...nothing, wrong_review_state: 1 });
});
