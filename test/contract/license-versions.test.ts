import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { TestRegistry } from '../support/registry.ts';

let registry: TestRegistry;

const read = async (query = '', name = 'MIT') =>
  registry.get(`/api/v1/licenses/${encodeURIComponent(name)}/versions${query}`);

beforeAll(async () => {
  registry = await TestRegistry.start({ licenses: true, indexing: true });
  for (const [name, license] of [
    ['a', 'MIT'],
    ['b', 'MIT OR Apache-2.0'],
    ['c', 'The MIT License'],
    ['d', 'ISC'],
  ]) {
    await registry.submit({ ecosystem: 'npm', name, version: '1.0.0', license });
  }
  await registry.post('/api/v1/packages/b/reject', { reason: 'no' });
  await eventually(async () => {
    expect((await read('?status=rejected')).body.packages).toHaveLength(1);
    expect((await read()).body.packages).toHaveLength(3);
  });
});
afterAll(() => registry.close());

const listNames = ({ body }: Awaited<ReturnType<typeof read>>): string[] =>
  body.packages.map(({ name }: { name: string }) => name);

it('lists the versions that state a license by package, also in an expression', async () => {
  const answer = await read();

  expect(answer.body).toMatchObject({ looked_at: 3, next: null });
  expect(answer.body.packages[1]).toEqual({
    ...{ ecosystem: 'npm', name: 'b', version: '1.0.0', status: 'rejected' },
  });
  expect(listNames(answer)).toEqual(['a', 'b', 'c']);
  expect(listNames(await read('', 'apache-2.0'))).toEqual(['b']);
  expect(listNames(await read('', 'Apache 2.0'))).toEqual(['b']);
  expect(listNames(await read('', 'Acme'))).toEqual([]);
});

it.each(['', 'status=pending&'])('continues a list of %j after each page', async (filter) => {
  const first = await read(`?${filter}limit=1`);
  const second = await read(`?${filter}limit=1&after=${encodeURIComponent(first.body.next)}`);

  expect(listNames(first)).toEqual(['a']);
  expect(listNames(second)).toEqual([filter === '' ? 'b' : 'c']);
});

it.each(['MIT OR ISC', 'x'.repeat(256), '\u{1f4dc}'.repeat(1000)])('refuses %s', async (name) => {
  expect(await read('', name)).toMatchObject({
    status: 400,
    body: { code: 'validation_failed' },
  });
});
