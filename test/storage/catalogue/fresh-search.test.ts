/** What a search contains right after a write, while eventually consistent reads lag behind. */
import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseSearchTerm } from '../../../shared/domain/packages/search.ts';
import type { Status } from '../../../shared/domain/review/status.ts';
import { oldestFirst } from '../../../shared/storage/catalogue/order.ts';
import { createSearcher } from '../../../shared/storage/catalogue/search.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { smallLayout } from './history.ts';

let engine: TestEngine;
let nowMs: number;
beforeEach(async () => {
  engine = await startEngine();
  nowMs = 1_700_000_000_000;
  vi.spyOn(Date, 'now').mockImplementation(() => nowMs);
});
afterEach(async () => {
  vi.restoreAllMocks();
  dynamodb.middlewareStack.remove('lag');
  await engine.close();
});

const context = () => ({ ...writeContext(), catalogue: { layout: smallLayout, shard: 0 } });

const submitMany = async (from: number, to: number): Promise<void> => {
  for (let at = from; at < to; at += 1) {
    await submitPackage({ ecosystem: 'npm', name: `plugin-${at}`, version: '1.0.0' }, context());
  }
};

const decide = (at: number) =>
  decidePackage(
    { ecosystem: 'npm', name: `plugin-${at}`, version: '1.0.0' },
    { to: 'approved', by: 'ana', reason: null },
    context(),
  );

/** Makes eventually consistent queries blind for everything. */
const beginLag = (): void => {
  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const isEventual = (args.input as QueryCommandInput).ConsistentRead === false;
      const answer = await next(args);
      return isEventual ? { ...answer, output: { ...answer.output, Items: [] } } : answer;
    },
    { step: 'initialize', name: 'lag' },
  );
};

const createSearch = () => {
  const searchIn = createSearcher(smallLayout, { broadRows: 10, readClock: () => nowMs });
  return (text: string, status?: Status) => {
    const search = parseSearchTerm(text);
    if (!search) throw new Error('There is nothing to search for');
    const query = { search, order: oldestFirst, limit: 100, offset: 0, ...(status && { status }) };
    return measure(() => searchIn(query));
  };
};

it('contains a submission and a decision right after their answers, in new and known instances', async () => {
  await submitMany(0, 20);
  nowMs += 60_000;
  const known = createSearch();
  expect((await known('plugin')).result.total).toBe(20);

  await submitMany(20, 21);
  await decide(3);
  beginLag();

  for (const search of [known, createSearch()]) {
    expect((await search('plugin-20')).result.total).toBe(1);
    expect((await search('plugin', 'approved')).result.total).toBe(1);
  }
  nowMs += 29_000;
  expect((await known('plugin-20')).result.total).toBe(1);
});

it('reads eventually, for half, what did not change for half a minute', async () => {
  await submitMany(0, 20);
  const search = createSearch();
  const fresh = await search('plugin');
  nowMs += 31_000;
  await search('none');

  const quiet = await search('plugin');

  expect(quiet.result).toEqual(fresh.result);
  expect(quiet.roundTrips).toBe(1);
  // The counters are read as before; two shards have rows.
  expect({ fresh: fresh.readUnits, quiet: quiet.readUnits }).toEqual({ fresh: 3, quiet: 2 });
});

it('reads a shard again that it took for quiet', async () => {
  await submitMany(0, 20);
  nowMs += 60_000;
  const search = createSearch();
  await search('plugin');
  await submitMany(20, 21);

  const { result, roundTrips } = await search('plugin');

  expect({ total: result.total, roundTrips }).toEqual({ total: 21, roundTrips: 2 });
});

it('keeps rows of a broad term for two seconds, as long as nothing changes', async () => {
  await submitMany(0, 20);
  nowMs += 60_000;
  const search = createSearch();
  await search('none');
  const shown = await search('plugin');

  nowMs += 2000;
  const again = await search('plugin');
  expect({ result: again.result, calls: again.calls }).toEqual({ result: shown.result, calls: 1 });
  await submitMany(20, 21);
  expect((await search('plugin')).result.total).toBe(21);
  nowMs += 60_000;
  expect((await search('plugin')).calls).toBeGreaterThan(1);
});
