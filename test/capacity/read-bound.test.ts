import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { tables } from '../../shared/api/resources.ts';
import { maxReadUnits } from '../../shared/storage/dynamodb/read-budget.ts';
import type { TestEngine } from '../support/engine.ts';
import { ask, operations, setEnvironment } from './ask-operation.ts';
import { dearest, type Public, readsNothing } from './dearest-requests.ts';
import { openItems } from './loaded-registry.ts';
import { worstItems, writeRest } from './worst-data.ts';

// The list of tokens is no table, and these requests have no token.
vi.mock('../../shared/platform/auth/tokens.ts', () => ({
  tokens: { current: async () => undefined },
}));

let engine: TestEngine;
beforeAll(async () => {
  engine = await openItems(worstItems());
  setEnvironment();
  await writeRest();
});
afterAll(() => engine.close());

/** The documented limit of each operation. */
const documented = new Map(
  [
    ...readFileSync('docs/read-limits.md', 'utf8').matchAll(/^\| `([\w-]+)` \|.*\| ([\d,]+) \|$/gm),
  ].map(([, id = '', units = '']) => [id, Number(units.replace(',', ''))]),
);

it('documents no limit above the most read units of one request', () => {
  expect(Math.max(...documented.values())).toBeLessThanOrEqual(maxReadUnits);
});

describe.each(Object.entries(dearest))('%s', (name, asked) => {
  const operation = operations[name as Public];

  if (asked === readsNothing) {
    it('has no access to tables', () => {
      expect(Object.keys(operation.access).filter((id) => id in tables)).toEqual([]);
    });
    return;
  }

  it.each(asked)('reads at most the documented units, and answers $status: $what', async (one) => {
    const { result, readUnits } = await ask(operation, one);

    expect(Object(result).statusCode).toBe(one.status);
    expect(readUnits).toBeLessThanOrEqual(documented.get(operation.id) ?? 0);
  });
});
