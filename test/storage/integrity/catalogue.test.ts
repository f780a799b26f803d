import { setImmediate as nextTurn } from 'node:timers/promises';
import { BatchWriteCommand, DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import type { PackageDetail } from '../../../shared/api/schemas/package.ts';
import { readTableName } from '../../../shared/api/settings/env.ts';
import { createCatalogue } from '../../../shared/storage/catalogue/catalogue.ts';
import {
  type CatalogueKey,
  isBrowseKey,
  isCounterKey,
} from '../../../shared/storage/catalogue/catalogue-keys.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import type { StoredItem } from '../../../shared/storage/dynamodb/table.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { expectRows } from '../../../shared/storage/integrity/expected-rows.ts';
import type { PackageItem } from '../../../shared/storage/packages/package-item.ts';
import { readNewestSequenceNumber } from '../../../shared/storage/packages/submission-counter.ts';
import { toCountsKey } from '../../../shared/storage/packages/version-counts.ts';
import { toIndexKeys } from '../../../shared/storage/packages/version-keys.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { type Snapshot, type TestEngine, takeSnapshot } from '../../support/engine.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { randomQuery, smallLayout, writeSomething } from '../catalogue/history.ts';
import { expectedPage, readTruth } from '../catalogue/oracle.ts';
import { indexReviews } from './reviewed-registry.ts';

const nothing = IntegrityReport.parse({}).found;
const enoughTime = { remainingMs: () => 60_000 };

const readCatalogue = async (): Promise<(CatalogueKey & StoredItem)[]> => {
  const { Items } = await dynamodb.send(
    new ScanCommand({ TableName: readTableName('catalogue'), ConsistentRead: true }),
  );
  return (Items ?? []) as (CatalogueKey & StoredItem)[];
};

const isSearchRow = (item: CatalogueKey): boolean => !isCounterKey(item) && !isBrowseKey(item);

const remove = ({ p, o }: CatalogueKey) =>
  dynamodb.send(new DeleteCommand({ TableName: readTableName('catalogue'), Key: { p, o } }));

/** The engine takes 25 deletions at once. */
const removeAll = async (keys: readonly CatalogueKey[]): Promise<void> => {
  const table = readTableName('catalogue');
  for (let at = 0; at < keys.length; at += 25) {
    const requests = keys
      .slice(at, at + 25)
      .map(({ p, o }) => ({ DeleteRequest: { Key: { p, o } } }));
    await dynamodb.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
  }
};

const put = (item: StoredItem) =>
  dynamodb.send(new PutCommand({ TableName: readTableName('catalogue'), Item: item }));

const putPackageItem = (item: object) =>
  dynamodb.send(new PutCommand({ TableName: readTableName('packages'), Item: { ...item } }));

const readOldestVersion = async (): Promise<PackageItem> => {
  const [oldest] = await readTruth();
  if (!oldest) throw new Error('There is no version');
  return oldest;
};

const runCheck = async (repair: boolean): Promise<IntegrityReport> => {
  await indexReviews();
  return checkIntegrity(IntegrityReport.parse({ repair }), smallLayout, enoughTime);
};

describe('the integrity check of the catalogue', () => {
  let snapshot: Snapshot;
  let engine: TestEngine;
  let random: Random;

  const writeMany = async (count: number): Promise<void> => {
    const known: PackageDetail[] = [];
    for (let at = 0; at < count; at += 1) {
      const detail = await writeSomething(random, known, smallLayout);
      if (detail) known.push(detail);
    }
  };

  beforeAll(async () => {
    random = createRandom(7);
    snapshot = await takeSnapshot(() => writeMany(70));
  });
  afterAll(() => snapshot.remove());

  beforeEach(async () => {
    engine = await snapshot.start();
  });
  afterEach(() => engine.close());

  const expectAllRight = async (): Promise<void> => {
    expect(await runCheck(false)).toMatchObject({ done: true, found: nothing, unjudged: 0 });
    const truth = await readTruth();
    const list = createCatalogue(smallLayout);
    for (let at = 0; at < 20; at += 1) {
      const { search: _, ...query } = randomQuery(random, truth.length);
      expect(await list(query)).toEqual(expectedPage(truth, query));
    }
  };

  it('finds nothing where nothing is wrong, and changes nothing', async () => {
    const before = await readCatalogue();

    const report = await runCheck(false);

    const rows = before.filter((item) => !isCounterKey(item));
    expect(report).toMatchObject({ done: true, found: nothing, repaired: 0 });
    expect(report.checked).toMatchObject({
      versions: (await readTruth()).length,
      sums: rows.length,
      rows: 0,
    });
    expect(await readCatalogue()).toEqual(before);
  });

  const damages: [
    string,
    Partial<typeof nothing>,
    (items: (CatalogueKey & StoredItem)[]) => Promise<unknown>,
  ][] = [
    [
      // Counters are judged by rows, so both that count this one look wrong until it is back.
      'a lost browse row',
      { missing_row: 1, wrong_counter: 2 },
      (items) => remove(items.filter(({ p }) => p.startsWith('*--'))[3] as CatalogueKey),
    ],
    [
      'a lost row in the list of a filter',
      { missing_row: 1 },
      (items) => remove(items.filter(({ p }) => p.startsWith('*-p'))[3] as CatalogueKey),
    ],
    [
      'a row that is left in the list of another status',
      { orphaned_row: 1 },
      (items) => {
        const row = items.find(({ p }) => p.startsWith('*-a'));
        return put({ ...row, p: String(row?.p).replace('*-a', '*-r') });
      },
    ],
    [
      'a lost search row',
      { missing_row: 1 },
      (items) => remove(items.filter(isSearchRow)[17] as CatalogueKey),
    ],
    [
      'a row that tells another status',
      { wrong_row: 1 },
      (items) => {
        const row = items.filter(isSearchRow)[5];
        // The next status of the same ecosystem.
        const cell = String(row?.['c']).charCodeAt(0) - 65;
        const moved = cell - (cell % 3) + ((cell + 1) % 3);
        return put({ ...row, c: String.fromCharCode(65 + moved) });
      },
    ],
    [
      'a row of a package that is not there',
      { orphaned_row: 1 },
      (items) => put({ ...items.filter(isSearchRow)[9], n: 'nobody', o: 'zzz0000zzz' }),
    ],
    [
      'a row that its package would not have',
      { orphaned_row: 1 },
      (items) => put({ ...items.filter(isSearchRow)[9], p: '00zzz' }),
    ],
    [
      'an item that is no row',
      { orphaned_row: 1 },
      () => put({ p: '00abc', o: 'x0000000a', n: 'x', v: '1', c: '?' }),
    ],
    [
      'a submission counter that is behind',
      { wrong_counter: 1 },
      () => putPackageItem({ name_key: '#sequence', version_key: '#sequence', count: 0 }),
    ],
    [
      'a submission counter that is no number',
      { wrong_counter: 1 },
      () => putPackageItem({ name_key: '#sequence', version_key: '#sequence', count: 'many' }),
    ],
    [
      'a submission counter that is far ahead',
      { wrong_counter: 1 },
      () => putPackageItem({ name_key: '#sequence', version_key: '#sequence', count: 2e12 }),
    ],
    [
      'a count that is no number',
      { wrong_counter: 1 },
      (items) => {
        const counter = items.find(({ p }) => p.startsWith('#f'));
        return put({ ...counter, A: 'many' });
      },
    ],
    [
      'a number of updates that is none',
      { wrong_counter: 1 },
      (items) => put({ ...items.find(({ p }) => p === '#c'), u: 'often' }),
    ],
    [
      'an index key that tells another status',
      { wrong_index_key: 1 },
      async () => {
        const item = await readOldestVersion();
        return putPackageItem({ ...item, status_sequence: `unknown#${item.sequence}` });
      },
    ],
    [
      'a lost index key',
      { wrong_index_key: 1 },
      async () => {
        return putPackageItem({ ...(await readOldestVersion()), ecosystem_sequence: undefined });
      },
    ],
    [
      'a number of versions that is wrong',
      { wrong_version_count: 1 },
      async () => {
        const key = toCountsKey((await readOldestVersion()).name);
        return putPackageItem({ ...key, 'npm#x': 3, u: 3 });
      },
    ],
    [
      'a lost number of versions',
      { wrong_version_count: 1 },
      async () => {
        const Key = toCountsKey((await readOldestVersion()).name);
        await dynamodb.send(new DeleteCommand({ TableName: readTableName('packages'), Key }));
      },
    ],
    [
      'a number of versions of a name that has none',
      { wrong_version_count: 1 },
      () => putPackageItem({ ...toCountsKey('nobody'), 'npm#nobody': 1, u: 1 }),
    ],
    [
      'a wrong counter of a small bucket',
      { wrong_counter: 1 },
      (items) => {
        const counter = items.find(({ p }) => p.startsWith('#f'));
        return put({ ...counter, A: Number(counter?.['A'] ?? 0) + 1 });
      },
    ],
    [
      'a lost counter of a large bucket',
      { wrong_counter: 1 },
      (items) => remove(items.find(({ p }) => p === '#c') as CatalogueKey),
    ],
  ];

  it.each(damages)('finds %s, and repairs it only on request', async (_, found, damage) => {
    await damage(await readCatalogue());
    const damaged = await readCatalogue();

    const reported = await runCheck(false);
    const untouched = await readCatalogue();
    const repaired = await runCheck(true);

    expect(reported.found).toEqual({ ...nothing, ...found });
    expect(untouched).toEqual(damaged);
    expect(repaired.repaired).toBe(1);
    await expectAllRight();
  });

  it('writes the whole catalogue anew when nothing of it is left', async () => {
    await removeAll(await readCatalogue());

    const report = await runCheck(true);

    expect(report.found['missing_row']).toBeGreaterThan(500);
    await expectAllRight();
  });

  it('goes on where it stopped, one piece at a time', async () => {
    await removeAll(await readCatalogue());
    const noTime = { remainingMs: () => 5000 };

    let report = IntegrityReport.parse({ repair: true });
    let steps = 0;
    do {
      report = await checkIntegrity(
        IntegrityReport.parse(JSON.parse(JSON.stringify(report))),
        smallLayout,
        noTime,
      );
      steps += 1;
    } while (!report.done);

    expect(steps).toBeGreaterThan(5);
    await expectAllRight();
  });

  it('repairs while writers go on, and disturbs none of them', async () => {
    const items = await readCatalogue();
    await removeAll(items.filter((_, at) => at % 9 === 0));
    let isDone = false;
    const writer = async (): Promise<void> => {
      // However slow the check is, there must come an end of what it looks at.
      for (let at = 0; !isDone && at < 40; at += 1) {
        await writeMany(1);
        await nextTurn();
      }
    };
    const writers = [writer(), writer(), writer()];

    const repaired = await runCheck(true);
    isDone = true;
    await Promise.all(writers);

    expect(repaired.unjudged).toBe(0);
    // What was counted while its counter was wrong is repaired by the next one.
    await runCheck(true);

    await expectAllRight();
  });

  it('gives versions that were submitted after the submission counter was set back places of their own', async () => {
    const before = await readTruth();
    await putPackageItem({ name_key: '#sequence', version_key: '#sequence', count: 5 });

    await writeMany(40);

    const after = await readTruth();
    expect(after.length).toBeGreaterThan(before.length);
    expect(new Set(after.map(({ sequence }) => sequence)).size).toBe(after.length);
    await runCheck(true);
    await expectAllRight();
  });

  it('gives one of two versions that have the same sequence number another one', async () => {
    const [one, other] = (await readTruth()).filter(({ status }) => status === 'pending');
    if (!one || !other) throw new Error('There are too few versions');
    // As they would be left by code that puts its rows whatever is there.
    const doubled = { ...other, ...toIndexKeys({ ...other, sequence: one.sequence }) };
    await putPackageItem(doubled);
    for (const row of expectRows(doubled, smallLayout)) await put({ ...row });

    const reported = await runCheck(false);
    await runCheck(true);

    expect(reported.found['duplicate_sequence_number']).toBe(1);
    const sequences = (await readTruth()).map(({ sequence }) => sequence);
    expect(new Set(sequences).size).toBe(sequences.length);
    await expectAllRight();
  });

  it('gives a version that says it stands beyond all others a place beside them', async () => {
    const version = await readOldestVersion();
    await putPackageItem({ ...version, ...toIndexKeys({ ...version, sequence: 'zzzzzzzz' }) });

    const reported = await runCheck(false);
    await runCheck(true);

    expect(reported.found['wrong_index_key']).toBe(1);
    expect(await readNewestSequenceNumber()).toBeLessThan(1000);
    await expectAllRight();
  });

  it('lets a decision be made on a version whose sequence number another one has, without waiting for the integrity check', async () => {
    const [one, other] = (await readTruth()).filter(({ status }) => status === 'pending');
    if (!one || !other) throw new Error('There are too few versions');
    await putPackageItem({ ...other, ...toIndexKeys({ ...other, sequence: one.sequence }) });
    const request = { to: 'approved', by: 'ana', reason: null } as const;

    await decidePackage(other, request, {
      ...writeContext(),
      catalogue: { layout: smallLayout, shard: 0 },
    });

    const truth = await readTruth();
    expect(truth.find(({ version_key }) => version_key === other.version_key)).toMatchObject({
      status: 'approved',
    });
    expect(new Set(truth.map(({ sequence }) => sequence)).size).toBe(truth.length);
    await runCheck(true);
    await expectAllRight();
  });
});
