import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mostGlobal } from '../../shared/storage/vulnerabilities/acceptances.ts';
import { databaseOf } from '../support/database.ts';
import { functionOf } from '../support/functions.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const tokens = 'security-team:review-secret-0123456789';
const reviewer = { token: 'review-secret-0123456789' };

let registry: TestRegistry;

beforeAll(async () => {
  registry = await TestRegistry.start({ tokens, events: true });
});
afterAll(() => registry.close());

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

const pathOf = (id: string, suffix = ''): string =>
  `/api/v1/vulnerabilities/${encodeURIComponent(id)}${suffix}`;

const accept = (id: string, body: object, headers = {}) =>
  registry.post(
    pathOf(id, '/acceptances'),
    { reason: 'Not reachable', expires_at: inDays(30), ...body },
    { ...reviewer, headers },
  );

const withdraw = (id: string, number: number | string, headers = {}) =>
  registry.send('DELETE', pathOf(id, `/acceptances/${number}`), {
    ...reviewer,
    body: { reason: 'It is reachable' },
    headers,
  });

const invoke = (worker: string, event: object = {}) =>
  registry.stack.invoke(functionOf(registry.stack.model, worker).id, event);

/** Submits a version with a vulnerability, and indexes the vulnerability. */
const submitAffected = async (name: string, id: string): Promise<void> => {
  await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' }, reviewer);
  const report = { tool: 'a-scanner', vulnerabilities: [{ id, severity: 'high' }] };
  await registry.post(`/api/v1/security/scans/${name}`, report, reviewer);
  const Keys = { v: { S: `npm#${name}#1.0.0` } };
  await invoke('index-versions', { Records: [{ dynamodb: { SequenceNumber: '1', Keys } }] });
};

const scanOf = async (name: string) => (await registry.get(`/api/v1/security/scans/${name}`)).body;

describe('POST /vulnerabilities/{id}/acceptances', () => {
  it('refuses an acceptance beyond the limit with 409', async () => {
    const Item = { v: '#acceptances', k: '#', live: mostGlobal };
    const TableName = registry.stack.tables['REVIEWS_TABLE'];
    const database = databaseOf(registry);
    await database.send(new PutCommand({ TableName, Item }));

    const { status, body } = await accept('CVE-2024-1', {});

    expect([status, body.code]).toEqual([409, 'too_many_acceptances']);
    await database.send(new DeleteCommand({ TableName, Key: { v: Item.v, k: Item.k } }));
  });

  it('passes an affected version at once, marks the finding as accepted, and allows the approval', async () => {
    await submitAffected('at-once', 'CVE-2024-1000');

    const { status, body } = await accept('cve-2024-1000', {
      ...{ ecosystem: 'npm', name: 'at-once', version: '1.0.0+build' },
    });

    expect(status).toBe(201);
    expect(body).toMatchObject({ id: 'CVE-2024-1000', number: 1, affects: 1, version: '1.0.0' });
    expect(await scanOf('at-once')).toMatchObject({
      status: 'passed',
      vulnerabilities: [{ accepted: { number: 1, reason: 'Not reachable', by: 'security-team' } }],
    });
    const approved = await registry.post(packagePath('at-once', '/approve'), {}, reviewer);
    expect(approved.body).toMatchObject({ status: 'approved' });
    const { history } = (await registry.get(packagePath('at-once', '/history'))).body;
    expect(history[0].evidence.merged_scan).toMatchObject({ status: 'passed', accepted: 1 });
    expect(history[1]).toMatchObject({
      type: 'vulnerability.accepted',
      acceptance: { vulnerability: 'CVE-2024-1000', number: 1 },
    });
  });

  it('applies a package-wide acceptance in the scheduled run, and publishes its events', async () => {
    await submitAffected('by-clock', 'CVE-2024-1001');

    const { body } = await accept('CVE-2024-1001', { ecosystem: 'npm', name: 'by-clock' });
    expect(body).toMatchObject({ affects: 1, version: null });
    await invoke('run-due-work');

    expect(await scanOf('by-clock')).toMatchObject({ status: 'passed' });
    const shown = (await registry.get(pathOf('CVE-2024-1001'))).body;
    expect(shown).toMatchObject({ acceptances: [{ number: 1, ended: null }], total: 1 });
    const taken = await withdraw('CVE-2024-1001', 1);
    expect(taken.body).toMatchObject({ affects: 1, ended: { how: 'withdrawn', by: body.by } });
    await invoke('run-due-work');
    expect(await scanOf('by-clock')).toMatchObject({ status: 'failed' });
    const { history } = (await registry.get(packagePath('by-clock', '/history'))).body;
    expect(history.slice(0, 2)).toMatchObject([
      { type: 'acceptance.ended', version: null, reason: 'It is reachable' },
      { type: 'vulnerability.accepted', version: null },
    ]);
    await expect
      .poll(async () =>
        (await registry.get('/api/v1/events?last=20')).body.events.filter(
          ({ vulnerability }: { vulnerability: string }) => vulnerability === 'CVE-2024-1001',
        ),
      )
      .toMatchObject([
        { type: 'vulnerability.accepted', name: 'by-clock', acceptance: '1', to: 'accepted' },
        { type: 'acceptance.ended', from: 'accepted', to: 'withdrawn' },
      ]);
  });

  it('shows the acceptance of a vulnerability without findings, and hides token fingerprints', async () => {
    const { body } = await accept('GHSA nowhere/#1', {});

    const shown = await registry.get(pathOf('ghsa nowhere/#1'));

    expect(body).toMatchObject({ affects: 0, id: 'GHSA NOWHERE/#1' });
    expect(shown.body).toMatchObject({ total: 0, packages: [], acceptances: [{ number: 1 }] });
    expect(JSON.stringify([body, shown.body])).not.toMatch(/fingerprint|secret/);
    expect((await registry.get(pathOf('CVE-1999-1'))).status).toBe(404);
  });

  it('replays the answer for a repeated Idempotency-Key, and creates one acceptance', async () => {
    const headers = { 'Idempotency-Key': 'once' };
    const expires_at = inDays(7);

    const first = await accept('CVE-2024-1002', { expires_at }, headers);
    const second = await accept('CVE-2024-1002', { expires_at }, headers);
    const ended = await withdraw('CVE-2024-1002', 1, { 'Idempotency-Key': 'end' });
    const endedAgain = await withdraw('CVE-2024-1002', 1, { 'Idempotency-Key': 'end' });

    expect(second.body).toEqual(first.body);
    expect(second.headers.get('Idempotency-Replayed')).toBe('true');
    expect([ended.status, endedAgain.body]).toEqual([200, ended.body]);
    expect((await withdraw('CVE-2024-1002', 1)).status).toBe(404);
    expect((await registry.get(pathOf('CVE-2024-1002'))).body.acceptances).toHaveLength(1);
  });

  it.each([
    ['no reason', { reason: undefined }, 'reason'],
    ['a blank reason', { reason: ' ' }, 'reason'],
    ['no expiry date', { expires_at: undefined }, 'expires_at'],
    ['an expiry date in the past', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
    ['an expiry date in more than a year', { expires_at: inDays(367) }, 'expires_at'],
    ['a name without ecosystem', { name: 'lodash' }, 'ecosystem'],
    ['a version without name', { ecosystem: 'npm', version: '1.0.0' }, 'name'],
    ['an invalid name for the ecosystem', { ecosystem: 'npm', name: 'a b' }, 'name'],
    ['an unknown field', { until: 'ever' }, 'until'],
  ])('refuses %s', async (_, body, path) => {
    const answer = await accept('CVE-2024-1003', body);

    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ path }]);
  });

  it('refuses an unknown version, an invalid id and an unknown acceptance', async () => {
    const unknown = { ecosystem: 'npm', name: 'nobody', version: '1.0.0' };
    expect((await accept('CVE-2024-1004', unknown)).body.code).toBe('package_not_found');
    expect((await accept('é', {})).body.code).toBe('validation_failed');
    expect((await accept('x'.repeat(129), {})).body.code).toBe('validation_failed');
    for (const number of [1, '0', 'x', '1.5', '9'.repeat(30)]) {
      const { body } = await withdraw('CVE-2024-1004', number);
      expect(body.code).toBe('acceptance_not_found');
    }
  });

  it('requires a token', async () => {
    const body = { reason: 'x', expires_at: inDays(1) };

    const accepted = await registry.post(pathOf('CVE-1', '/acceptances'), body);
    const taken = await registry.send('DELETE', pathOf('CVE-1', '/acceptances/1'), { body });

    expect([accepted.status, taken.status]).toEqual([401, 401]);
  });
});
