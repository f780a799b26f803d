import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseSearchTerm } from '../../../shared/domain/packages/search.ts';
import { oldestFirst } from '../../../shared/storage/catalogue/order.ts';
import { createSearcher } from '../../../shared/storage/catalogue/search.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { smallLayout } from './history.ts';

const versions = 80;

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
  const context = { ...writeContext(), catalogue: { layout: smallLayout, shard: 0 } };
  for (let at = 0; at < versions; at += 1) {
    await submitPackage({ ecosystem: 'npm', name: `plugin-${at}`, version: '1.0.0' }, context);
  }
});
afterAll(() => engine.close());

/** By an instance that reads at most so many rows; versions stand in two shards of search rows. */
const searchFor = (text: string, mostRows: number) => {
  const search = parseSearchTerm(text);
  if (!search) throw new Error('There is nothing to search for');
  const query = { search, order: oldestFirst, limit: 1, offset: 0 };
  return createSearcher(smallLayout, { mostRows })(query);
};

it('counts every match of a term that is in as many places as a search may read', async () => {
  expect((await searchFor('plugin', versions)).total).toBe(versions);
});

it('refuses a term that is in more places, and says what to do', async () => {
  await expect(searchFor('plugin', versions - 1)).rejects.toMatchObject({
    code: 'validation_failed',
    message: 'search: must be longer: more than 79 places in names and descriptions begin with it',
  });
});

it('finds by more of the term what it would not count by less', async () => {
  expect((await searchFor('plugin-7', versions - 1)).total).toBe(11);
});
