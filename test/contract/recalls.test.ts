import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OriginServer } from '../support/origin-server.ts';
import { listRecord } from '../support/recall-feed.ts';
import { packagePath, type TestRegistry } from '../support/registry.ts';
import { runRecallWorker, startRecallRegistry } from './recall-registry.ts';

/** Recalls through the real worker: the feed is a local server. */

const record = 'MAL-2026-2307';
const list = '/api/v1/recalls';

let origin: OriginServer;
let registry: TestRegistry;
beforeAll(async () => {
  ({ origin, registry } = await startRecallRegistry());
});
afterAll(async () => {
  await registry.close();
  await origin.close();
});

const approve = (name: string, body: object = {}) =>
  registry.post(packagePath(name, '/approve'), body);

/** Lists a change of a record, and runs the worker. */
const run = async (id: string, name: string, some: object = {}): Promise<void> => {
  const affected = [{ package: { ecosystem: 'npm', name }, versions: ['1.0.0'] }] as const;
  const summary = `Malicious code in ${name} (npm)`;
  listRecord(origin, { id, affected, summary, ...some }, registry.clock.at(0));
  await runRecallWorker(registry, origin);
};

const submitApproved = async (name: string): Promise<void> => {
  await registry.submit({ ecosystem: 'npm', name, version: '1.0.0' });
  await approve(name);
};

it('rejects an approved version, and lists the recall', async () => {
  await submitApproved('axios');

  await run(record, 'axios');

  const { body } = await registry.get(packagePath('axios'));
  expect(body).toMatchObject({
    ...{ status: 'rejected', rejected_by: 'registry' },
    reason: `Recalled: ${record}: Malicious code in axios (npm)`,
  });
  expect((await registry.get(list)).body).toMatchObject({
    recalls: [{ ecosystem: 'npm', name: 'axios', version: '1.0.0', record, ended_at: null }],
    next: null,
  });
});

it('reports the recall in the evidence, and first in what needs attention', async () => {
  await submitApproved('vulnerable');
  const vulnerabilities = [{ id: 'CVE-2026-1', severity: 'critical' }];
  await registry.post('/api/v1/security/scans/vulnerable', { tool: 'audit', vulnerabilities });

  const { body: page } = await registry.get('/api/v1/attention?limit=1');
  const { next } = page as { next: string };
  const rest = await registry.get(`/api/v1/attention?after=${encodeURIComponent(next)}`);
  const { body: evidence } = await registry.get(packagePath('axios', '/evidence'));

  expect(page).toMatchObject({
    attention: [{ name: 'axios', reasons: ['recalled'], recall: record }],
  });
  expect(rest.body).toMatchObject({
    attention: [{ name: 'vulnerable', reasons: ['scan_failed'], recall: null }],
  });
  expect(evidence).toMatchObject({
    recall: { record, others: [], approved_at: expect.any(String) },
  });
});

it('refuses an approval that does not accept the record, and keeps one that does', async () => {
  await submitApproved('debug');
  await run('MAL-2026-1', 'debug');

  const refused = await approve('debug', { reason: 'Checked', override: true });
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'version_recalled' }]);
  const unexplained = await approve('debug', { accept_recall: 'MAL-2026-1' });
  expect([unexplained.status, unexplained.body]).toMatchObject([
    400,
    { code: 'validation_failed' },
  ]);

  const accepted = await approve('debug', { reason: 'Checked', accept_recall: 'MAL-2026-1' });
  await run('MAL-2026-1', 'debug');

  expect(accepted.status).toBe(200);
  expect((await registry.get(packagePath('debug'))).body).toMatchObject({ status: 'approved' });
});

it('approves the version again when the record is withdrawn', async () => {
  await submitApproved('chalk');
  await run('MAL-2026-2', 'chalk');

  await run('MAL-2026-2', 'chalk', { withdrawn: registry.clock.at(0) });

  expect((await registry.get(packagePath('chalk'))).body).toMatchObject({
    ...{ status: 'approved', rejected_by: null, reason: null },
  });
  const { body } = await registry.get(`${list}?limit=1`);
  expect(body).toMatchObject({ recalls: [{ name: 'chalk', ended_at: expect.any(String) }] });
});

it('lists recalls page by page, newest first', async () => {
  const first = await registry.get(`${list}?limit=2`);
  const { next } = first.body as { next: string };
  const rest = await registry.get(`${list}?before=${encodeURIComponent(next)}`);

  const names = [first, rest].map(({ body }) =>
    (body as { recalls: { name: string }[] }).recalls.map(({ name }) => name),
  );
  expect(names).toEqual([['chalk', 'debug'], ['axios']]);
  expect(first.headers.get('link')).toContain('rel="next"');
});

it.each([
  ['/reject', { rejected_by: 'registry' }],
  ['/approve', { approved_by: 'Registry' }],
  ['/approve', { accept_recall: 'CVE-2026-1', reason: 'x' }],
])('refuses a decision at %s with %j', async (path, body) => {
  expect((await registry.post(packagePath('axios', path), body)).status).toBe(400);
});
