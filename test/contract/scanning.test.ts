import { PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseOf } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { skippingPauses } from '../support/function-clocks.ts';
import { findQueue, functionOf } from '../support/functions.ts';
import { osvRecordOf } from '../support/osv-records.ts';
import { type OsvServer, startOsvServer } from '../support/osv-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

let osv: OsvServer;
let registry: TestRegistry;

/** What fails is tried again without pauses, and comes again from its queue soon. */
const triedAgainSoon = { transform: skippingPauses, hiddenSeconds: 2 };

beforeAll(async () => {
  osv = await startOsvServer();
  registry = await TestRegistry.start({ osvUrl: osv.url, ...triedAgainSoon });
});
afterAll(async () => {
  await registry.close();
  await osv.close();
});
afterEach(() => osv.recover());

/** Hands messages to the scanner; each is known by its place. */
const invokeScanner = (bodies: readonly string[]): Promise<unknown> => {
  const { id } = functionOf(registry.stack.model, 'scan-submissions');
  const Records = bodies.map((body, at) => ({ messageId: String(at), body }));
  return registry.stack.invoke(id, { Records });
};

const scanMessages = (ids: readonly object[]): Promise<unknown> =>
  invokeScanner(ids.map((id) => JSON.stringify(id)));

const failing = (place: number) => ({ batchItemFailures: [{ itemIdentifier: String(place) }] });

const readScans = (key: string) =>
  databaseOf(registry).send(
    new QueryCommand({
      TableName: registry.stack.tables['SCANS_TABLE'],
      KeyConditionExpression: 'package_key = :key',
      ExpressionAttributeValues: { ':key': key },
    }),
  );

/** Puts a scan that cannot be read after all that the version has. */
const breakScan = async (name: string): Promise<void> => {
  const TableName = registry.stack.tables['REVIEWS_TABLE'];
  const Item = { v: `npm#${name}#1.0.0`, k: 'head', evidence_revision: 0 };
  await databaseOf(registry).send(new PutCommand({ TableName, Item }));
};

const scanPath = (name: string, suffix = '') =>
  `/api/v1/security/scans/${encodeURIComponent(name)}${suffix}`;

/** Waits for a scan of the version, with a status if one is given. */
const scanned = (name: string, version: string, status?: string) =>
  eventually(async () => {
    const answer = await registry.get(scanPath(name, `?version=${version}`));
    expect(answer.status).toBe(200);
    if (status !== undefined) expect(answer.body.status).toBe(status);
    return answer.body;
  });

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
    const ids = scan.vulnerabilities.flatMap(({ id, aliases }: Reported) => [id, ...aliases]);
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

  it('is scanned once, though its message comes twice', async () => {
    const name = 'queued-twice';
    await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' });
    await scanned(name, '1.0.0');

    const answer = await scanMessages([{ ecosystem: 'npm', name, version: '1.0.0' }]);

    expect(answer).toEqual({ batchItemFailures: [] });
    expect(await readCount(name, '1.0.0')).toBe(1);
  });
});

interface Reported {
  readonly id: string;
  readonly aliases: readonly string[];
}

describe('a submission that cannot be scanned at all', () => {
  it('is given up by its queue after five tries, in a message that names it', async () => {
    const broken = await startOsvServer();
    broken.fail({ kind: 'status', status: 500 });
    const alone = await TestRegistry.start({ osvUrl: broken.url, ...triedAgainSoon });
    const id = { ecosystem: 'npm', name: 'lodash', version: '4.17.20' };
    await alone.submit(id);

    const deadLetters = findQueue(alone, 'ScanDeadLetters');
    await eventually(() => expect(deadLetters.messages).toHaveLength(1));

    expect(JSON.parse(deadLetters.messages[0]?.body ?? '')).toEqual(id);
    const { body } = await alone.get(scanPath('lodash'));
    expect(body).toMatchObject({ status: 'error', reason: expect.stringContaining('OSV.dev') });
    const history = await alone.get(scanPath('lodash', '/history'));
    expect(history.body.total).toBe(1);
    await alone.close();
    await broken.close();
  });
});

describe('a batch of submissions', () => {
  const idsOf = (prefix: string) =>
    Array.from({ length: 10 }, (_, at) => ({
      ecosystem: 'npm',
      name: `${prefix}-${at}`,
      version: '1.0.0',
    }));

  it('loses the one that OSV.dev cannot answer, and no other', async () => {
    osv.fail({ kind: 'status', status: 500 }, { about: 'bad-question-3' });
    const ids = idsOf('bad-question');
    for (const id of ids) await registry.submit(id);

    const answer = await scanMessages(ids);

    expect(answer).toEqual(failing(3));
    const { Items } = await readScans('npm#bad-question-9#1.0.0');
    expect(Items).toMatchObject([{ summary: { status: 'passed' } }]);
  });

  it('loses the one whose scans cannot be read, and no other', async () => {
    const ids = idsOf('bad-row');
    for (const id of ids) await registry.submit(id);
    await breakScan('bad-row-3');

    const answer = await scanMessages(ids);

    expect(answer).toEqual(failing(3));
    await scanned('bad-row-9', '1.0.0', 'passed');
    expect(registry.logs).toContainEqual(
      expect.objectContaining({ event: 'head_not_read', name: 'bad-row-3' }),
    );
  });

  it('loses a message that is none, and no other', async () => {
    for (const id of idsOf('clean')) await registry.submit(id);
    const bodies = ['no JSON', JSON.stringify({ name: 'x' }), JSON.stringify(idsOf('clean')[0])];

    const answer = await invokeScanner(bodies);

    expect(answer).toEqual({
      batchItemFailures: [{ itemIdentifier: '0' }, { itemIdentifier: '1' }],
    });
  });

  it('fails as a whole where OSV.dev answers nobody, so that it is noticed', async () => {
    osv.fail({ kind: 'status', status: 500 });

    await expect(scanMessages(idsOf('outage'))).rejects.toThrow(/None of 10 versions/);
  });

  it('fails as a whole where nothing can be read, so that it is noticed', async () => {
    await breakScan('unreadable');

    const scanning = scanMessages([{ ecosystem: 'npm', name: 'unreadable', version: '1.0.0' }]);

    await expect(scanning).rejects.toThrow(/None of 1 versions/);
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
          { package: { ecosystem: 'npm', name: 'much-reported' }, events: [{ introduced: '0' }] },
        ],
      }),
    );
    for (const record of records) osv.know(`records/${record.id}`, [record]);
    osv.know('npm/much-reported/1.0.0', records);

    await registry.submit({ ecosystem: 'npm', name: 'much-reported', version: '1.0.0' });
    const scan = await scanned('much-reported', '1.0.0', 'failed');

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
    await eventually(() => expect(osv.requests.length).toBeGreaterThan(before));

    const report = { tool: 'a-scanner', vulnerabilities: [{ id: 'CVE-2026-1', severity: 'high' }] };
    await registry.post(scanPath(name), report);
    osv.recover();
    await eventually(async () => {
      const { body } = await registry.get(scanPath(name));
      expect(body.tools_used).toEqual(['a-scanner', 'osv.dev']);
    });

    const { body } = await registry.get(scanPath(name));
    expect(body).toMatchObject({
      status: 'failed',
      vulnerabilities: [{ found_by: ['a-scanner'] }],
    });
  });

  it('and breaks does not undo what stands in the way of an approval', async () => {
    const name = 'broken-later';
    await registry.submit({ ecosystem: 'docker', name, version: '1.0' });
    const report = { tool: 'a-scanner', vulnerabilities: [{ id: 'CVE-2026-1', severity: 'high' }] };
    await registry.post(scanPath(name), report);
    const TableName = registry.stack.tables['SCANS_TABLE'];
    const { Items } = await readScans(`docker#${name}#1.0`);
    const [item] = Items ?? [];
    const summary = { ...item?.['summary'], status: 'error', reason: 'It broke.' };
    const Item = { ...item, scan_key: '00000002', summary };
    await databaseOf(registry).send(new PutCommand({ TableName, Item }));

    const { status, body } = await registry.post(packagePath(name, '/approve'));

    expect(status).toBe(409);
    expect(body.reasons).toMatchObject([{ code: 'scan_failed' }]);
  });
});
