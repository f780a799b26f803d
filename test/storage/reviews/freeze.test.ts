import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isFrozen } from '../../../shared/domain/review/freeze.ts';
import { defineTable } from '../../../shared/storage/dynamodb/table.ts';
import { putItem } from '../../../shared/storage/dynamodb/write.ts';
import { putAlone } from '../../../shared/storage/dynamodb/write-alone.ts';
import { putFreeze, readCachedFreeze, readFreeze } from '../../../shared/storage/reviews/freeze.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';

const freeze = {
  ...{ before: '2026-09-15T00:00:00.000Z', since: '2026-09-16T03:12:00.000Z' },
  ...{ reason: 'Malware in npm', by: 'ana', token_label: 'ana' },
};

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

it('is read as it was written, with one read unit', async () => {
  expect(await readFreeze()).toBeUndefined();

  await putAlone(putFreeze(freeze));

  expect(await measure(readFreeze)).toMatchObject({ result: freeze, calls: 1, readUnits: 1 });
});

it.each([
  ['without a time', {}],
  ['with an unreadable time', { ...freeze, before: 'yesterday' }],
  ['without a reason', { ...freeze, reason: undefined }],
])('refuses all versions if the row is damaged: %s', async (_, row) => {
  const table = defineTable<object>('reviews');
  await putAlone(putItem(table, { v: '#freeze', k: 'freeze', ...JSON.parse(JSON.stringify(row)) }));

  const stored = await readFreeze();

  const old = { facts: { published_at: '1999-01-01T00:00:00.000Z' } };
  expect(isFrozen(stored, { ecosystem: 'npm' }, old)).toBe(true);
  expect(stored?.reason).toContain('unreadable');
});

describe('the freeze of the gate', () => {
  const start = Date.parse('2030-01-01T00:00:00.000Z');
  const readAt = (ms: number) => measure(() => readCachedFreeze(new Date(start + ms)));

  it('is at most 10 seconds old, and costs nothing in between', async () => {
    const first = await readAt(0);
    await putAlone(putFreeze(freeze));
    const warm = await readAt(9999);
    const later = await readAt(10_000);
    const again = await readAt(12_000);

    expect(first).toMatchObject({ result: undefined, calls: 1 });
    expect(warm).toMatchObject({ result: undefined, calls: 0 });
    expect(later).toMatchObject({ result: freeze, calls: 1 });
    expect(again).toMatchObject({ result: freeze, calls: 0 });
  });

  it('is read again after a failure', async () => {
    const variable = 'REVIEWS_TABLE';
    const name = process.env[variable];
    process.env[variable] = 'no-such-table';
    await expect(readAt(100_000)).rejects.toThrow();
    process.env[variable] = name;
    await putAlone(putFreeze(freeze));

    expect((await readAt(100_001)).result).toEqual(freeze);
  });
});
