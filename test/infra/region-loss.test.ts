import { BatchWriteCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { StackModel } from '@package-registry/local-aws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TableId, tableIds, tables } from '../../shared/api/resources.ts';
import { IntegrityReport } from '../../shared/api/schemas/integrity.ts';
import { splitInto } from '../../shared/util/split-into.ts';
import { invoking } from '../contract/exercise.ts';
import { databaseOf } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { FunctionClock } from '../support/function-clocks.ts';
import { functionOf } from '../support/functions.ts';
import { type OriginServer, serveNpmVersion, startOriginServer } from '../support/origin-server.ts';
import { listRecord, serveEmptyFeed } from '../support/recall-feed.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

/**
 * The drill of docs/region-loss.md. Copies of tables are of different moments, as those of AWS Backup: one read of each table
 * stands for its copy, and writes into new tables for its restore. Streams of restored tables begin empty.
 */

type Item = Readonly<Record<string, unknown>>;
type Copies = ReadonlyMap<TableId, readonly Item[]>;

const copiedIds = tableIds.filter((id) => id !== 'idempotency');
const hourMs = 3_600_000;

const nameOf = ({ stack }: TestRegistry, id: TableId): string =>
  String(stack.tables[tables[id].env]);

const copyTable = async (registry: TestRegistry, id: TableId): Promise<readonly Item[]> => {
  const database = databaseOf(registry);
  const items: Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = await database.send(
      new ScanCommand({ TableName: nameOf(registry, id), ExclusiveStartKey }),
    );
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
};

/** Starts the stack of the second region on restored tables. Its functions run an hour later. */
const startOn = async (copies: Copies, originUrl: string): Promise<TestRegistry> => {
  const clock = new FunctionClock();
  clock.pass(hourMs);
  const withoutHistory = (model: StackModel): StackModel => ({
    ...model,
    eventSources: Object.fromEntries(
      Object.entries(model.eventSources).map(([id, source]) => [
        id,
        { ...source, startingPosition: 'LATEST' as const },
      ]),
    ),
  });
  return TestRegistry.start({
    ...{ originUrl, events: true, indexing: true, clock, transform: withoutHistory },
    seed: async (stack) => {
      const database = databaseOf({ stack } as unknown as TestRegistry);
      for (const [id, items] of copies) {
        for (const some of splitInto(25, items)) {
          const requests = some.map((Item) => ({ PutRequest: { Item } }));
          const RequestItems = { [String(stack.tables[tables[id].env])]: requests };
          await database.send(new BatchWriteCommand({ RequestItems }));
        }
      }
    },
  });
};

const repair = async ({ stack }: TestRegistry): Promise<IntegrityReport> => {
  const { id } = functionOf(stack.model, 'check-integrity');
  let report = IntegrityReport.parse({ repair: true });
  do report = IntegrityReport.parse(await stack.invoke(id, report));
  while (!report.done);
  return report;
};

const publish = (origin: OriginServer, name: string): void => {
  const dist = {
    tarball: `${origin.url}/npm/${name}.tgz`,
    integrity: `sha512-${Buffer.alloc(64, name).toString('base64')}`,
  };
  serveNpmVersion(origin, name, dist);
};

/** Package names by what happens to them. `between` is decided after some tables are copied, and before the others. */
const before = ['served', 'scanned', 'refused', 'recalled', 'pending'] as const;
const between = ['approved-between', 'rejected-between'] as const;
const after = ['approved-later', 'rejected-later'] as const;

const check = (registry: TestRegistry, names: readonly string[]) =>
  registry.post('/api/v1/check', {
    packages: names.map((name) => ({ ecosystem: 'npm', name, version: '1.0.0' })),
  });

const installable = async (registry: TestRegistry, name: string): Promise<boolean> => {
  const response = await fetch(`${registry.url}/npm/${name}`);
  if (response.status !== 200) return false;
  const { versions } = (await response.json()) as { versions: object };
  return Object.keys(versions).includes('1.0.0');
};

const listEvents = async (registry: TestRegistry) => {
  const { body } = await registry.get('/api/v1/events?limit=500');
  return body.events as { sequence: number; id: string; name: string; type: string; to: string }[];
};

describe.each([
  { order: 'versions are the oldest copy', ids: copiedIds },
  { order: 'versions are the newest copy', ids: copiedIds.toReversed() },
])('a registry in a second region, where $order', ({ ids }) => {
  let origin: OriginServer;
  let second: TestRegistry;
  let answers: ReadonlyMap<string, unknown>;
  let lostHead: number;
  let report: IntegrityReport;

  const answersOf = async (registry: TestRegistry) => {
    const paths = before.flatMap((name) => [
      packagePath(name),
      packagePath(name, '/history'),
      packagePath(name, '/evidence'),
      `/api/v1/security/scans/${name}`,
    ]);
    const all = await Promise.all(
      [...paths, '/api/v1/projects', '/api/v1/licenses/MIT'].map(async (path) => {
        const { status, body } = await registry.get(path);
        const { request_id: _, ...answer } = body;
        return [path, { status, ...answer }] as const;
      }),
    );
    return new Map<string, unknown>([
      ...all,
      ['check', (await check(registry, before)).body.packages],
    ]);
  };

  const decide = async (registry: TestRegistry, name: string, action: 'approve' | 'reject') => {
    const { status } = await registry.post(packagePath(name, `/${action}`), { reason: 'as read' });
    expect(status).toBe(200);
  };

  const fill = async (registry: TestRegistry): Promise<void> => {
    for (const name of [...before, ...between, ...after]) {
      publish(origin, name);
      await registry.submit({ ecosystem: 'npm', name, version: '1.0.0', license: 'MIT' });
      await eventually(async () => {
        const { body } = await registry.get(packagePath(name, '/evidence'));
        expect(body.facts).not.toBeNull();
      });
    }
    await registry.post('/api/v1/security/scans/scanned', {
      tool: 'a-scanner',
      vulnerabilities: [{ id: 'CVE-2026-1', severity: 'low' }],
    });
    for (const name of ['served', 'scanned', 'recalled', 'rejected-between', 'rejected-later']) {
      await decide(registry, name, 'approve');
    }
    await decide(registry, 'refused', 'reject');
    const affected = [{ package: { ecosystem: 'npm', name: 'recalled' }, versions: ['1.0.0'] }];
    listRecord(
      origin,
      { id: 'MAL-2026-1', affected: affected as never, summary: 'Malicious code' },
      new Date().toISOString(),
    );
    await invoking('recall-packages', {})(registry, '', {} as never, origin);
    const versions = [{ ecosystem: 'npm', name: 'served', version: '1.0.0', direct: true }];
    await registry.post('/api/v1/projects/shop/snapshots', {
      ...{ ref: 'main', owner: 'ana@example.com', versions },
    });
    await eventually(async () => {
      expect((await listEvents(registry)).at(-1)?.name).toBe('recalled');
    });
  };

  beforeAll(async () => {
    origin = await startOriginServer();
    serveEmptyFeed(origin);
    const first = await TestRegistry.start({
      ...{ originUrl: origin.url, events: true, indexing: true, licenses: true },
    });
    await fill(first);
    answers = await answersOf(first);
    const copies = new Map<TableId, readonly Item[]>();
    const changes = [
      () => decide(first, 'approved-between', 'approve'),
      () => decide(first, 'rejected-between', 'reject'),
      () => first.submit({ ecosystem: 'npm', name: 'new-between', version: '1.0.0' }),
    ];
    for (const id of ids) {
      copies.set(id, await copyTable(first, id));
      await changes.shift()?.();
    }
    await decide(first, 'approved-later', 'approve');
    await decide(first, 'rejected-later', 'reject');
    await first.submit({ ecosystem: 'npm', name: 'submitted-later', version: '1.0.0' });
    await eventually(async () => {
      const events = await listEvents(first);
      expect(events.at(-1)?.name).toBe('submitted-later');
      lostHead = events.at(-1)?.sequence ?? 0;
    });
    await first.close();
    second = await startOn(copies, origin.url);
    report = await repair(second);
  });
  afterAll(async () => {
    await second.close();
    await origin.close();
  });

  it('agrees with itself after one repair', async () => {
    expect(report.unjudged).toBe(0);
    expect(report.repaired).toBeGreaterThan(0);
    const again = await repair(second);
    expect(again).toMatchObject({ done: true, repaired: 0, unjudged: 0 });
    expect(Object.values(again.found).every((count) => count === 0)).toBe(true);
  });

  it('answers as before about everything that was decided before the copies', async () => {
    expect(await answersOf(second)).toEqual(answers);
  });

  it('serves what was approved before the copies, and nothing that was rejected or recalled', async () => {
    const served = await Promise.all(before.map((name) => installable(second, name)));

    expect(served).toEqual([true, true, false, false, false]);
  });

  it('has lost the decisions and submissions after the copies, and serves by those before', async () => {
    const { body } = await check(second, [...after, 'submitted-later']);

    expect(body.packages.map(({ status }: { status: string }) => status)).toEqual([
      'pending',
      'approved',
      'unknown',
    ]);
    expect(await installable(second, 'rejected-later')).toBe(true);
  });

  it('tells by events the status of each version, without a number twice or left out', async () => {
    const events = await listEvents(second);
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);

    const changes = events.filter(({ type }) => type.startsWith('package.'));
    const last = new Map(changes.map(({ name, to }) => [name, to]));
    const names = [...before, ...between, ...after, 'new-between'];
    const { body } = await check(second, names);
    expect(names.map((name) => [name, last.get(name) ?? 'unknown'])).toEqual(
      body.packages.map(({ name, status }: { name: string; status: string }) => [name, status]),
    );
  });

  it('gives numbers of lost events again, so that consumers begin at the last one of the copies', async () => {
    const head = (await listEvents(second)).length;
    await decide(second, 'pending', 'approve');
    await eventually(async () => {
      expect((await listEvents(second)).at(-1)).toMatchObject({
        ...{ sequence: head + 1, name: 'pending', to: 'approved' },
      });
    });
    expect((await second.get(`/api/v1/events?after=${lostHead + 100}`)).body).toEqual({
      events: [],
      next: lostHead + 100,
    });
    expect((await second.get('/api/v1/events?last=0')).body.next).toBe(head + 1);
  });
});
