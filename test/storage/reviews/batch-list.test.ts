import { afterEach, beforeEach, expect, it } from 'vitest';
import { BatchesQuery } from '../../../shared/api/schemas/batch.ts';
import { createBatchListing, listBatches } from '../../../shared/storage/reviews/batch-list.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const list = (query: Readonly<Record<string, string>> = {}) =>
  listBatches(BatchesQuery.parse(query));

it('lists batches by their last day, the newest first, page by page', async () => {
  const first = createBatchListing(new Date('2026-11-27T12:00:00Z'));
  await Promise.all([first('shop'), first('till')]);
  await createBatchListing(new Date('2026-11-28T00:00:00Z'))('shop');

  expect(await list()).toEqual({
    batches: [
      { batch: 'shop', submitted_on: '2026-11-28' },
      { batch: 'till', submitted_on: '2026-11-27' },
    ],
    next: null,
  });
  const page = await list({ limit: '1' });
  expect(page.next).toBe('2026-11-28#shop');
  expect((await list({ limit: '1', before: String(page.next) })).batches).toEqual([
    { batch: 'till', submitted_on: '2026-11-27' },
  ]);
  expect(await list({ before: '2026-11-27' })).toEqual({ batches: [], next: null });
});

it('writes a batch once for all versions that come together', async () => {
  const listBatch = createBatchListing(new Date());

  const { writeUnits } = await measure(() => Promise.all([listBatch('shop'), listBatch('shop')]));

  expect(writeUnits).toBe(1);
});

it.each(['yesterday', '2026-11-28#', '2026-11-28#a#b', '2026-11-28#a b'])(
  'refuses the cursor %s',
  (before) => {
    expect(BatchesQuery.safeParse({ before }).success).toBe(false);
  },
);
