import { DeleteCommand, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { databaseOf } from '../support/database.ts';
import { functionOf } from '../support/functions.ts';
import { osvRecordOf } from '../support/osv-records.ts';
import { type OsvFault, type OsvServer, startOsvServer } from '../support/osv-server.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

let osv: OsvServer;

beforeAll(async () => {
  osv = await startOsvServer();
});
afterAll(() => osv.close());
afterEach(() => osv.recover());

const scanPath = (name: string, suffix = '') =>
  `/api/v1/security/scans/${encodeURIComponent(name)}${suffix}`;

describe('the rescan of approved versions', () => {
  let rescanned: TestRegistry;

  const runSchedule = async (): Promise<void> => {
    const { id } = functionOf(rescanned.stack.model, 'rescan-packages');
    const schedule = Object.values(rescanned.stack.model.schedules).find(({ targets }) =>
      targets.some(({ functionId }) => functionId === id),
    );
    await rescanned.stack.runSchedule(schedule?.id ?? '');
  };

  const approved = async (name: string, version: string): Promise<void> => {
    await rescanned.submit({ ecosystem: 'npm', name, version });
    await rescanned.post(packagePath(name, `/approve?version=${version}`));
  };

  /** Moves the decision on a version an hour back: a round confirms none that was decided shortly before it. */
  const makeOlder = async (name: string): Promise<void> => {
    const update = new UpdateCommand({
      TableName: rescanned.stack.tables['REVIEWS_TABLE'],
      Key: { v: `npm#${name}#1.0.0`, k: 'head' },
      UpdateExpression: 'SET #at = :at',
      ExpressionAttributeNames: { '#at': 'at' },
      ExpressionAttributeValues: { ':at': new Date(Date.now() - 3_600_000).toISOString() },
    });
    await databaseOf(rescanned).send(update);
  };

  /** When the registry last looked at a version. */
  const findLastLook = async (name: string): Promise<string> => {
    const { body } = await rescanned.get(scanPath(name));
    const [{ confirmed_at, scan_date }] = body.tools;
    return confirmed_at ?? scan_date;
  };

  const countScans = async (name: string): Promise<number> =>
    (await rescanned.get(scanPath(name, '/history'))).body.total;

  const letADayGoBy = async (): Promise<void> => {
    const TableName = rescanned.stack.tables['SCANS_TABLE'];
    const Key = { package_key: '#rescan', scan_key: '#state' };
    await databaseOf(rescanned).send(new DeleteCommand({ TableName, Key }));
  };

  /** What the queue would bring about. */
  const scanNow = (name: string): Promise<unknown> => {
    const body = JSON.stringify({ ecosystem: 'npm', name, version: '1.0.0' });
    const { id } = functionOf(rescanned.stack.model, 'scan-submissions');
    return rescanned.stack.invoke(id, { Records: [{ messageId: '1', body }] });
  };

  /** Whether the version is on the list of what is still to be scanned. */
  const isListed = async (key: string): Promise<boolean> => {
    const TableName = rescanned.stack.tables['SCANS_TABLE'];
    const Key = { package_key: '#unscanned', scan_key: key };
    return (
      (await databaseOf(rescanned).send(new GetCommand({ TableName, Key }))).Item !== undefined
    );
  };

  beforeAll(async () => {
    rescanned = await TestRegistry.start({
      osvUrl: osv.url,
      // Only what the schedule brings about.
      transform: (model) => ({ ...model, eventSources: {}, queueSources: {} }),
    });
    for (let at = 0; at < 103; at += 1) {
      await approved(`approved-${at}`, '1.0.0');
      await makeOlder(`approved-${at}`);
    }
    await rescanned.submit({ ecosystem: 'npm', name: 'pending', version: '1.0.0' });
    await rescanned.submit({ ecosystem: 'docker', name: 'image', version: '1.0' });
    await rescanned.post(packagePath('image', '/approve'));
  });
  afterAll(() => rescanned.close());

  it('stays where it is while OSV.dev is unreachable, and fails so that it is noticed', async () => {
    osv.fail({ kind: 'status', status: 503 });

    await expect(runSchedule()).rejects.toThrow(/is unreachable/);
    const { body } = await rescanned.get(scanPath('approved-0'));

    expect(body).toMatchObject({ status: 'error' });
    expect(await countScans('pending')).toBe(0);
  });

  it('looks at every version that was never scanned, and at every approved one, in bounded batches', async () => {
    const before = osv.requests.length;

    await runSchedule();

    const names = Array.from({ length: 103 }, (_, at) => `approved-${at}`);
    for (const name of [names[0], names[99], names[100], names[102]]) {
      const { body } = await rescanned.get(scanPath(name ?? ''));
      expect(body).toMatchObject({ status: 'passed', tools_used: ['osv.dev'] });
    }
    const batches = osv.requests.slice(before).filter(({ path }) => path === '/v1/querybatch');
    const sizes = batches.map(({ body }) => (body as { queries: unknown[] }).queries.length);
    // First what failed in the run before, and what no run has looked at: no stream and no queue did.
    expect(sizes).toEqual([100, 4, 100, 3]);
    expect(await countScans('pending')).toBe(1);
    expect(await countScans('image')).toBe(0);
  });

  it('tries again what could not be scanned, also where it is not approved', async () => {
    const name = 'unscanned-pending';
    await rescanned.submit({ ecosystem: 'npm', name, version: '1.0.0' });
    osv.fail({ kind: 'body', body: 'no JSON' }, { about: name });
    await scanNow(name);
    const { body: failed } = await rescanned.get(scanPath(name));
    osv.recover();

    await runSchedule();

    const { body } = await rescanned.get(scanPath(name));
    expect([failed.status, body.status]).toEqual(['error', 'passed']);
    await runSchedule();
    expect(await countScans(name)).toBe(2);
  });

  it('does nothing until it is due again', async () => {
    const before = await findLastLook('approved-0');

    await runSchedule();

    expect(await findLastLook('approved-0')).toBe(before);
  });

  it('keeps no scan of what it knew, but when it found that again', async () => {
    const count = await countScans('approved-7');
    await letADayGoBy();

    await runSchedule();

    const { body } = await rescanned.get(scanPath('approved-7'));
    expect(body.tools).toMatchObject([{ tool: 'osv.dev', number: count }]);
    expect(body.tools[0].confirmed_at > body.scan_date).toBe(true);
    expect(await countScans('approved-7')).toBe(count);
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
    osv.fail({ kind: 'status', status: 503 }, { times: 6, path: '/v1/querybatch' });
    await expect(runSchedule()).rejects.toThrow(/is unreachable/);
    const before = await findLastLook('approved-100');
    await rescanned.post(packagePath('approved-0', '/reject'), { reason: 'No more.' });

    await runSchedule();

    expect((await findLastLook('approved-100')) > before).toBe(true);
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

    // What the scan before found holds on.
    expect([broken?.body.status, healthy?.body.status]).toEqual(['passed', 'passed']);
    expect([broken, healthy].map((answer) => answer?.body.tools[0].status)).toEqual([
      'error',
      'passed',
    ]);
    osv.know('npm/approved-2/1.0.0', []);
  });

  it('fails where OSV.dev says nothing sensible about anything', async () => {
    await letADayGoBy();
    osv.fail({ kind: 'body', body: 'no JSON' });

    await expect(runSchedule()).rejects.toThrow(/is unreachable/);

    osv.recover();
    const before = await findLastLook('approved-3');
    await runSchedule();
    expect((await findLastLook('approved-3')) > before).toBe(true);
  });

  it.each<OsvFault>([
    { kind: 'status', status: 500 },
    { kind: 'reset' },
    { kind: 'body', body: 'no JSON' },
  ])('goes on where all that could not be scanned before fails again: %j', async (fault) => {
    const name = 'bad-question';
    const { status } = await rescanned.get(packagePath(name));
    if (status === 404) await rescanned.submit({ ecosystem: 'npm', name, version: '1.0.0' });
    await letADayGoBy();
    const before = await findLastLook('approved-3');
    osv.fail(fault, { about: name });

    await runSchedule();

    expect((await findLastLook('approved-3')) > before).toBe(true);
    expect((await rescanned.get(scanPath(name))).body.status).toBe('error');
    expect(rescanned.logs.findLast(({ event }) => event === 'rescan')).toMatchObject({
      level: 'warn',
      failed: 1,
    });
  });

  it('says so where a head cannot be read, after all else is done', async () => {
    const TableName = rescanned.stack.tables['REVIEWS_TABLE'];
    const Key = { v: 'npm#broken-row#1.0.0', k: 'head' };
    await rescanned.submit({ ecosystem: 'npm', name: 'broken-row', version: '1.0.0' });
    const { Item: head } = await databaseOf(rescanned).send(new GetCommand({ TableName, Key }));
    const Item = { ...Key, evidence_revision: 0 };
    await databaseOf(rescanned).send(new PutCommand({ TableName, Item }));
    await letADayGoBy();
    const before = await findLastLook('approved-3');

    await expect(runSchedule()).rejects.toThrow(/^Error: 1 versions could not be read or written/);

    expect((await findLastLook('approved-3')) > before).toBe(true);
    await databaseOf(rescanned).send(new PutCommand({ TableName, Item: { ...head } }));
  });

  describe('the list of what is still to be scanned', () => {
    it('has each submission until its first finished scan', async () => {
      const key = 'npm#listed#1.0.0';
      await rescanned.submit({ ecosystem: 'npm', name: 'listed', version: '1.0.0' });
      const submitted = await isListed(key);
      osv.fail({ kind: 'status', status: 400 }, { about: 'listed' });
      await scanNow('listed');
      const failed = await isListed(key);
      osv.recover();
      await scanNow('listed');

      expect([submitted, failed, await isListed(key)]).toEqual([true, true, false]);
    });

    it('keeps a version that others have scanned: no upload stands in for its own scan', async () => {
      await rescanned.submit({ ecosystem: 'npm', name: 'uploaded', version: '1.0.0' });

      await rescanned.post(scanPath('uploaded'), { tool: 'a-scanner', vulnerabilities: [] });

      expect(await isListed('npm#uploaded#1.0.0')).toBe(true);
    });

    it('has no image, which only uploads can scan', async () => {
      expect(await isListed('docker#image#1.0')).toBe(false);
    });

    it('has no submission that was refused', async () => {
      await scanNow('listed');
      await rescanned.post('/api/v1/packages', {
        ecosystem: 'npm',
        name: 'listed',
        version: '1.0.0',
      });

      expect(await isListed('npm#listed#1.0.0')).toBe(false);
    });
  });
});
