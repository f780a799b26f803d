import { DeleteCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { databaseOf } from '../support/database.ts';
import { functionOf } from '../support/functions.ts';
import { osvRecordOf } from '../support/osv-records.ts';
import { type OsvServer, startOsvServer } from '../support/osv-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

let osv: OsvServer;
let registry: TestRegistry;

beforeAll(async () => {
  osv = await startOsvServer();
  registry = await TestRegistry.start({ osvUrl: osv.url });
});
afterAll(async () => {
  await registry.close();
  await osv.close();
});
afterEach(() => osv.recover());

const scanPath = (name: string, suffix = '') =>
  `/api/v1/security/scans/${encodeURIComponent(name)}${suffix}`;

const patience = { timeout: 20_000, interval: 100 };

/** Waits for a scan of the version, with a status if one is given. */
const scanned = (name: string, version: string, status?: string) =>
  vi.waitFor(async () => {
    const answer = await registry.get(scanPath(name, `?version=${version}`));
    expect(answer.status).toBe(200);
    if (status !== undefined) expect(answer.body.status).toBe(status);
    return answer.body;
  }, patience);

const readCount = async (name: string, version: string): Promise<number> =>
  (await registry.get(scanPath(name, `/history?version=${version}`))).body.total;

describe('a submission', () => {
  it.each([
    ['npm', 'lodash', '4.17.20', 'failed', 'CVE-2021-23337'],
    ['pypi', 'Jinja2', '2.11.3', 'warning', undefined],
    ['maven', 'org.apache.logging.log4j:log4j-core', '2.14.1', 'failed', 'CVE-2021-44228'],
    ['npm', 'left-pad', '1.3.0', 'passed', undefined],
  ])('of %s %s %s is scanned by itself: %s', async (ecosystem, name, version, status, known) => {
    await registry.submit({ ecosystem, name, version });

    const scan = await scanned(name, version);

    expect(scan).toMatchObject({ package: name, version, status, tools_used: ['osv.dev'] });
    const ids = scan.vulnerabilities.flatMap(({ id, aliases }: Told) => [id, ...aliases]);
    if (known) expect(ids).toContain(known);
    expect(await readCount(name, version)).toBe(1);
  });

  it('of an image is left to an upload: OSV.dev knows no images', async () => {
    await registry.submit({ ecosystem: 'docker', name: 'nginx', version: '1.27.3' });
    await registry.submit({ ecosystem: 'npm', name: 'after-the-image', version: '1.0.0' });

    await scanned('after-the-image', '1.0.0');

    expect((await registry.get(scanPath('nginx'))).status).toBe(404);
  });

  it('shows an error, and never a clean scan, while OSV.dev cannot tell; then the truth', async () => {
    osv.fail({ kind: 'status', status: 400 });
    await registry.submit({ ecosystem: 'pypi', name: 'requests', version: '2.19.1' });

    const failed = await scanned('requests', '2.19.1', 'error');
    osv.recover();
    const scan = await scanned('requests', '2.19.1', 'failed');

    expect(failed).toMatchObject({
      reason: 'OSV.dev refused the request with status 400',
      vulnerabilities: [],
    });
    expect(scan.vulnerabilities).not.toEqual([]);
    expect(await readCount('requests', '2.19.1')).toBe(2);
  });

  it('does not wait for a scan', async () => {
    osv.fail({ kind: 'silence' });

    const { status } = await registry.submit({
      ecosystem: 'npm',
      name: 'not-waited-for',
      version: '1.0.0',
    });

    expect(status).toBe(201);
    osv.recover();
    await scanned('not-waited-for', '1.0.0', 'passed');
  });

  it('is scanned once, though its record comes twice', async () => {
    const name = 'told-twice';
    await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' });
    await scanned(name, '1.0.0');
    const image = { ecosystem: { S: 'npm' }, name: { S: name }, version: { S: '1.0.0' } };
    const event = { Records: [{ dynamodb: { SequenceNumber: '7', NewImage: image } }] };

    const answer = await registry.stack.invoke(
      functionOf(registry.stack.model, 'scan-submissions').id,
      event,
    );

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(await readCount(name, '1.0.0')).toBe(1);
  });
});

interface Told {
  readonly id: string;
  readonly aliases: readonly string[];
}

describe('a submission that cannot be scanned at all', () => {
  it('is given up to the queue after all attempts, as an error that says why', async () => {
    const broken = await startOsvServer();
    broken.fail({ kind: 'body', body: 'no JSON' });
    const alone = await TestRegistry.start({ osvUrl: broken.url });
    await alone.submit({ ecosystem: 'npm', name: 'lodash', version: '4.17.20' });

    const [queue] = Object.values(alone.stack.queues);
    await vi.waitFor(() => expect(queue?.messages).toHaveLength(1), patience);

    const { body } = await alone.get(scanPath('lodash'));
    expect(body).toMatchObject({ status: 'error', reason: expect.stringContaining('OSV.dev') });
    const history = await alone.get(scanPath('lodash', '/history'));
    expect(history.body.total).toBe(1);
    await alone.close();
    await broken.close();
  });
});

describe('the rescan of approved versions', () => {
  let rescanned: TestRegistry;

  const runSchedule = async (): Promise<void> => {
    const [schedule] = Object.values(rescanned.stack.model.schedules);
    await rescanned.stack.runSchedule(schedule?.id ?? '');
  };

  const approved = async (name: string, version: string): Promise<void> => {
    await rescanned.submit({ ecosystem: 'npm', name, version });
    await rescanned.post(packagePath(name, `/approve?version=${version}`));
  };

  const sumCounts = async (name: string): Promise<number> =>
    (await rescanned.get(scanPath(name, '/history'))).body.total;

  const letADayGoBy = async (): Promise<void> => {
    const TableName = rescanned.stack.tables['SCANS_TABLE'];
    const Key = { package_key: '#rescan', scan_key: '#state' };
    await databaseOf(rescanned).send(new DeleteCommand({ TableName, Key }));
  };

  /** What the stream would bring about. */
  const scanNow = (name: string): Promise<unknown> => {
    const image = { ecosystem: { S: 'npm' }, name: { S: name }, version: { S: '1.0.0' } };
    const { id } = functionOf(rescanned.stack.model, 'scan-submissions');
    const Records = [{ dynamodb: { SequenceNumber: '1', NewImage: image } }];
    return rescanned.stack.invoke(id, { Records });
  };

  beforeAll(async () => {
    rescanned = await TestRegistry.start({
      osvUrl: osv.url,
      // Only what the schedule brings about.
      transform: (model) => ({ ...model, eventSources: {} }),
    });
    for (let at = 0; at < 103; at += 1) await approved(`approved-${at}`, '1.0.0');
    await rescanned.submit({ ecosystem: 'npm', name: 'pending', version: '1.0.0' });
    await rescanned.submit({ ecosystem: 'docker', name: 'image', version: '1.0' });
    await rescanned.post(packagePath('image', '/approve'));
  });
  afterAll(() => rescanned.close());

  it('stays where it is while OSV.dev cannot be asked, and fails so that it is noticed', async () => {
    osv.fail({ kind: 'status', status: 503 });

    await expect(runSchedule()).rejects.toThrow(/cannot be asked/);
    const { body } = await rescanned.get(scanPath('approved-0'));

    expect(body).toMatchObject({ status: 'error' });
    expect(await sumCounts('approved-102')).toBe(0);
  });

  it('looks at every approved version, and at no other, in bounded batches', async () => {
    const before = osv.requests.length;

    await runSchedule();

    const names = Array.from({ length: 103 }, (_, at) => `approved-${at}`);
    for (const name of [names[0], names[99], names[100], names[102]]) {
      const { body } = await rescanned.get(scanPath(name ?? ''));
      expect(body).toMatchObject({ status: 'passed', tools_used: ['osv.dev'] });
    }
    const batches = osv.requests.slice(before).filter(({ path }) => path === '/v1/querybatch');
    const sizes = batches.map(({ body }) => (body as { queries: unknown[] }).queries.length);
    // First what failed in the run before.
    expect(sizes).toEqual([100, 100, 3]);
    expect(await sumCounts('pending')).toBe(0);
    expect(await sumCounts('image')).toBe(0);
  });

  it('tries again what could not be scanned, also where it is not approved', async () => {
    const name = 'unscanned-pending';
    await rescanned.submit({ ecosystem: 'npm', name, version: '1.0.0' });
    osv.fail({ kind: 'body', body: 'no JSON' });
    await scanNow(name);
    const { body: failed } = await rescanned.get(scanPath(name));
    osv.recover();

    await runSchedule();

    const { body } = await rescanned.get(scanPath(name));
    expect([failed.status, body.status]).toEqual(['error', 'passed']);
    await runSchedule();
    expect(await sumCounts(name)).toBe(2);
  });

  it('does nothing until it is due again', async () => {
    const before = await sumCounts('approved-0');

    await runSchedule();

    expect(await sumCounts('approved-0')).toBe(before);
  });

  it('finds what became known since', async () => {
    const id = 'GHSA-new0-new0-new0';
    osv.know('npm/approved-1/1.0.0', [
      osvRecordOf({
        id,
        aliases: ['CVE-2026-4242'],
        summary: 'Found after the approval',
        rating: ['HIGH', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N'],
        references: [],
        affected: [
          {
            package: { ecosystem: 'npm', name: 'approved-1' },
            events: [{ introduced: '0' }, { fixed: '2.0.0' }],
          },
        ],
      }),
    ]);
    await letADayGoBy();

    await runSchedule();

    const { body } = await rescanned.get(scanPath('approved-1'));
    expect(body).toMatchObject({ status: 'failed', vulnerabilities: [{ id }] });
    expect((await rescanned.get(packagePath('approved-1'))).body.status).toBe('approved');
  });

  it('passes over nothing when a version before loses its approval between two runs', async () => {
    await letADayGoBy();
    osv.fail({ kind: 'status', status: 503 }, { times: 5, path: '/v1/querybatch' });
    await expect(runSchedule()).rejects.toThrow(/cannot be asked/);
    const before = await sumCounts('approved-100');
    await rescanned.post(packagePath('approved-0', '/reject'), { reason: 'No more.' });

    await runSchedule();

    expect(await sumCounts('approved-100')).toBe(before + 1);
  });

  it('goes on where one record or one question keeps failing, and finds the rest', async () => {
    await letADayGoBy();
    const id = 'GHSA-brok-brok-brok';
    const facts = { id, aliases: [], references: [], affected: [] };
    osv.know('npm/approved-2/1.0.0', [osvRecordOf(facts)]);
    osv.fail({ kind: 'status', status: 503 }, { path: `/v1/vulns/${id}` });
    osv.fail({ kind: 'status', status: 400 }, { path: '/v1/querybatch', times: 1 });

    await runSchedule();
    const [broken, healthy] = await Promise.all(
      ['approved-2', 'approved-3'].map((name) => rescanned.get(scanPath(name))),
    );

    expect([broken?.body.status, healthy?.body.status]).toEqual(['error', 'passed']);
    osv.know('npm/approved-2/1.0.0', []);
  });

  it('goes on where OSV.dev knows nothing sensible of a whole batch', async () => {
    await letADayGoBy();
    osv.fail({ kind: 'body', body: 'no JSON' });

    await runSchedule();
    const { body } = await rescanned.get(scanPath('approved-102'));

    expect(body).toMatchObject({ status: 'error' });
  });
});

describe('a scan that finds more than one scan can hold', () => {
  it('is kept without what is there for reading only', async () => {
    const noise = (at: number) =>
      Array.from({ length: 60 }, (_, word) => Math.sin(at * 97 + word).toString(36)).join('');
    const records = Array.from({ length: 60 }, (_, at) =>
      osvRecordOf({
        id: `GHSA-long-long-${String(at).padStart(4, '0')}`,
        aliases: [],
        summary: 'Long',
        rating: ['HIGH', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N'],
        references: Array.from(
          { length: 20 },
          (_, n) => `https://example.com/${noise(at * 20 + n)}`,
        ),
        affected: [
          { package: { ecosystem: 'npm', name: 'much-told' }, events: [{ introduced: '0' }] },
        ],
      }),
    );
    for (const record of records) osv.know(`records/${record.id}`, [record]);
    osv.know('npm/much-told/1.0.0', records);

    await registry.submit({ ecosystem: 'npm', name: 'much-told', version: '1.0.0' });
    const scan = await scanned('much-told', '1.0.0', 'failed');

    expect(scan.severity.high).toBe(60);
    expect(scan.vulnerabilities[0].references).toEqual([]);
  });
});

describe('a scan that comes late', () => {
  it('never takes the place of one that somebody uploaded meanwhile', async () => {
    const name = 'uploaded-meanwhile';
    osv.fail({ kind: 'silence' }, { path: '/v1/querybatch' });
    const before = osv.requests.length;
    await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' });
    await vi.waitFor(() => expect(osv.requests.length).toBeGreaterThan(before), patience);

    const report = { tool: 'a-scanner', vulnerabilities: [{ id: 'CVE-2026-1', severity: 'high' }] };
    await registry.post(scanPath(name), report);
    osv.recover();
    await registry.submit({ ecosystem: 'npm', name: 'after-the-late-one', version: '1.0.0' });
    await scanned('after-the-late-one', '1.0.0');

    const { body } = await registry.get(scanPath(name));
    expect(body).toMatchObject({ status: 'failed', tools_used: ['a-scanner'] });
    expect(await readCount(name, '1.0.0')).toBe(1);
  });

  it('and breaks does not undo what stands in the way of an approval', async () => {
    const name = 'broken-later';
    await registry.submit({ ecosystem: 'docker', name, version: '1.0' });
    const report = { tool: 'a-scanner', vulnerabilities: [{ id: 'CVE-2026-1', severity: 'high' }] };
    await registry.post(scanPath(name), report);
    const TableName = registry.stack.tables['SCANS_TABLE'];
    const { Items } = await databaseOf(registry).send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'package_key = :key',
        ExpressionAttributeValues: { ':key': `docker#${name}#1.0` },
      }),
    );
    const [item] = Items ?? [];
    const summary = { ...item?.['summary'], status: 'error', reason: 'It broke.' };
    const Item = { ...item, scan_key: '00000002', summary };
    await databaseOf(registry).send(new PutCommand({ TableName, Item }));

    const { status, body } = await registry.post(packagePath(name, '/approve'));

    expect(status).toBe(409);
    expect(body.reasons).toMatchObject([{ code: 'scan_failed' }]);
  });
});
