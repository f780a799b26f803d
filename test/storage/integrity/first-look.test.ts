import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import { toScanResult } from '../../../shared/domain/vulnerabilities/scan-result.ts';
import type { Finding } from '../../../shared/domain/vulnerabilities/vulnerability.ts';
import { defaultLayout } from '../../../shared/storage/catalogue/layout.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import type { StoredItem } from '../../../shared/storage/dynamodb/table.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { saveScan } from '../../../shared/use-cases/scanning/keep-scan.ts';
import { scanContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import {
  approved,
  fillRegistry,
  findReview,
  nothing,
  put,
  readAll,
  remove,
} from './reviewed-registry.ts';

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

it('judges a version by the time of its second look: its need for attention may have begun during the check', async () => {
  const began = Date.now();
  const later = new Date(began + 5 * 60_000);
  const finding: Finding = {
    ...{ id: 'CVE-2026-1', aliases: [], summary: '', severity: 'critical', cvss: null },
    ...{ affected_range: '', fixed_versions: [], fix_state: null, references: [], components: [] },
    ...{ not_affecting: null, known_exploited: false, epss: null, source: 'a-scanner' },
  };
  const context = { ...scanContext(), now: later };
  const failed = toScanResult(approved, { tools: ['a-scanner'], findings: [finding] }, context);
  await saveScan(approved, failed, context);
  vi.useFakeTimers({ toFake: ['Date'], now: began });
  dynamodb.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (/Scan/.test(commandName)) vi.setSystemTime(began + 10 * 60_000);
        return next(args);
      },
    { step: 'initialize', name: 'answerStale' },
  );

  const { found } = await check(false).finally(() => vi.useRealTimers());

  expect(found).toMatchObject({ wrong_review_state: 0 });
});
