import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, it } from 'vitest';
import { readTableName } from '../../shared/api/settings/env.ts';
import { foldName } from '../../shared/domain/packages/package-name.ts';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import type { StoredItem } from '../../shared/storage/dynamodb/table.ts';
import { decidePackage } from '../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { startEngine } from '../support/engine.ts';
import { realisticPackages } from '../support/realistic-packages.ts';
import { bulkLoad } from './bulk-load.ts';
import { reviewer, type StoredTable, storedTables, submitter } from './stored-registry.ts';
import { writeContext } from './write-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'bulk-load-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const packages = [...realisticPackages(200)];

const readTable = async (id: StoredTable): Promise<StoredItem[]> => {
  const items: StoredItem[] = [];
  let start: StoredItem | undefined;
  do {
    const page = await dynamodb.send(
      new ScanCommand({ TableName: readTableName(id), ...(start && { ExclusiveStartKey: start }) }),
    );
    items.push(...(page.Items ?? []));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
};

/** Rows of due work start with their time. */
const withoutMoment = (key: unknown): string => String(key).replace(/^\d{4}-[^#]+#/, '');

/** Sorts the items, and removes times and transaction names, which differ. */
const comparable = (items: readonly StoredItem[]): string[] =>
  items
    .map((item) =>
      Object.entries(item)
        .filter(([name]) => !/(^|_)at$/.test(name) && name !== 'write_id')
        // Each shard of a counter has an id and a time of its own.
        .filter(([name]) => item['p'] !== '#c' || !['d', 'i'].includes(name))
        .map(([name, value]) => [name, name === 'k' ? withoutMoment(value) : value] as const)
        .map(([name, value]) => `${name}=${inspect(value, { sorted: true, depth: null })}`)
        .sort()
        .join(' '),
    )
    .sort();

const contents = async (): Promise<Record<StoredTable, string[]>> => {
  const [packages, catalogue, reviews] = await Promise.all(
    storedTables.map(async (id) => comparable(await readTable(id))),
  );
  return { packages: packages ?? [], catalogue: catalogue ?? [], reviews: reviews ?? [] };
};

const decisionContext = () => ({ ...writeContext(), actor: { ...submitter, label: reviewer } });

const contentsAfterWrites = async () => {
  const engine = await startEngine();
  for (const { submission, decision } of packages) {
    await submitPackage(submission, { ...writeContext(), actor: submitter });
    if (decision) await decidePackage(submission, decision, decisionContext());
  }
  const written = await contents();
  await engine.close();
  return written;
};

const contentsAfterBulkLoad = async () => {
  const file = join(folder, 'database');
  await bulkLoad({ file, packages });
  const engine = await startEngine({ file });
  const loaded = await contents();
  await engine.close();
  return loaded;
};

it('loads the same items as submissions and decisions write', async () => {
  const written = await contentsAfterWrites();

  const loaded = await contentsAfterBulkLoad();

  const names = new Set(packages.map(({ submission }) => foldName(submission.name)));
  expect(loaded.packages).toHaveLength(packages.length + 1 + names.size);
  expect(loaded).toEqual(written);
});
