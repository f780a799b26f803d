import type { PutItemCommandInput } from '@aws-sdk/client-dynamodb';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatKeyValue } from '../../../shared/api/data-format.ts';
import { tableIds } from '../../../shared/api/resources.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { formatKey } from '../../../shared/storage/dynamodb/format-item.ts';
import { migrateTables } from '../../../shared/storage/migration/migrate-tables.ts';
import type { Migration } from '../../../shared/storage/migration/migrations.ts';
import { runInParallel } from '../../../shared/util/in-parallel.ts';
import { UnfinishedRunError } from '../../../shared/util/unfinished-run.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { putFormats } from '../../support/formats.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
  await putFormats(engine, {}, { format: 1 });
});
afterEach(() => engine.close());

const rename: Migration = {
  to: 2,
  upgrades: {
    packages: ({ team, ...item }) => (team === undefined ? item : { ...item, owner: team }),
  },
};
// An item that stays as it is has to be the same object.
const migrations: readonly Migration[] = [
  {
    ...rename,
    upgrades: {
      packages: (item) => ('team' in item ? (rename.upgrades.packages?.(item) ?? item) : item),
    },
  },
];

const count = 1000;
const put = (TableName: string, Item: Record<string, unknown>) =>
  dynamodb.send(new PutCommand({ TableName, Item }));
const fill = () =>
  runInParallel(
    Array.from({ length: count }, (_, at) => at),
    10,
    (at) => put('packages', { name_key: `npm#p${at}`, version_key: '1.0.0', team: `team ${at}` }),
  );

const readAll = async (TableName: string): Promise<Record<string, unknown>[]> => {
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName, ConsistentRead: true }));
  return Items;
};
const readItems = async () =>
  (await readAll('packages')).filter(({ name_key }) => name_key !== formatKeyValue);
const readFormat = async (TableName: string) =>
  (await readAll(TableName)).find((item) => Object.values(item).includes(formatKeyValue));

const untilDone = { remainingMs: () => 60_000 };
const migrate = (options: Partial<Parameters<typeof migrateTables>[0]> = {}) =>
  migrateTables({ migrations, target: 2, deadline: untilDone, drainMs: 0, ...options });

describe('a migration', () => {
  it('upgrades every item once, and numbers every table', async () => {
    await fill();

    expect(await migrate()).toEqual({ packages: count });
    expect(await migrate()).toEqual({});

    const items = await readItems();
    expect(items).toHaveLength(count);
    expect(items.every(({ team, owner }) => team === undefined && owner !== undefined)).toBe(true);
    for (const id of tableIds) {
      expect(await readFormat(id)).toEqual({ ...formatKey(id), format: 2 });
    }
  });

  it('continues after its time, and is in progress until its end', async () => {
    await fill();
    let runs = 0;
    for (;;) {
      runs += 1;
      let calls = 0;
      // Each segment reads one page, and then the time is over.
      const deadline = { remainingMs: () => (++calls > 3 ? 0 : 1) };
      try {
        await migrate({ deadline });
        break;
      } catch (error) {
        expect(error).toBeInstanceOf(UnfinishedRunError);
        expect(await readFormat('packages')).toMatchObject({ format: 1, upgrading_to: 2 });
      }
    }

    expect(runs).toBeGreaterThan(1);
    expect((await readItems()).filter(({ owner }) => owner !== undefined)).toHaveLength(count);
    expect(await readFormat('packages')).toEqual({ ...formatKey('packages'), format: 2 });
  });

  it('keeps what another request writes meanwhile, and upgrades that, too', async () => {
    await fill();
    let isFirst = true;
    dynamodb.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const { Item, ConditionExpression } = args.input as PutItemCommandInput;
          if (
            isFirst &&
            commandName === 'PutItemCommand' &&
            ConditionExpression &&
            Item?.['owner']
          ) {
            isFirst = false;
            const { name_key, version_key } = unmarshall(Item);
            await put('packages', { name_key, version_key, team: 'late' });
          }
          return next(args);
        },
      { step: 'build', name: 'writeLate' },
    );

    await migrate();
    dynamodb.middlewareStack.remove('writeLate');

    const owners = (await readItems()).map(({ owner }) => owner);
    expect(owners).toContain('late');
    expect(owners.filter((owner) => owner !== undefined)).toHaveLength(count);
  });

  it('is repeated if another run ends before it, such as of a cancelled deployment', async () => {
    await fill();

    const runs = await Promise.allSettled([migrate(), migrate()]);

    const failed = runs.flatMap((run) => (run.status === 'rejected' ? [run.reason] : []));
    expect(failed).toEqual([expect.any(UnfinishedRunError)]);
    expect(await migrate()).toEqual({});
    expect((await readItems()).filter(({ owner }) => owner !== undefined)).toHaveLength(count);
  });

  it('refuses before its first change, if one table has data of a newer release', async () => {
    await fill();
    await put('scans', { ...formatKey('scans'), format: 3 });
    const before = await readAll('packages');

    await expect(migrate()).rejects.toThrow(/the table scans \(scans\) has data of format 3/);

    expect(await readAll('packages')).toEqual(before);
  });

  it('refuses an upgrade that changes a key', async () => {
    await fill();
    const moving: Migration = {
      to: 2,
      upgrades: { packages: (item) => ({ ...item, version_key: 'other' }) },
    };

    await expect(migrate({ migrations: [moving] })).rejects.toThrow(/changes a key/);
  });
});
