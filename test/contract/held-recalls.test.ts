import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OriginServer } from '../support/origin-server.ts';
import { listRecord } from '../support/recall-feed.ts';
import { packagePath, type TestRegistry } from '../support/registry.ts';
import { runRecallWorker, startRecallRegistry } from './recall-registry.ts';

/** Held records of malware, by the real worker and its rules. The feed is a local server. */

const list = '/api/v1/held-recalls';

let origin: OriginServer;
let registry: TestRegistry;
beforeAll(async () => {
  ({ origin, registry } = await startRecallRegistry());
});
afterAll(async () => {
  await registry.close();
  await origin.close();
});

const run = (): Promise<void> => runRecallWorker(registry, origin);

/** Lists a record for all versions of a package, and runs the worker. */
const listForAll = async (id: string, name: string, some: object = {}): Promise<void> => {
  const ranges = [{ type: 'SEMVER', events: [{ introduced: '0' }] }];
  const affected = [{ package: { ecosystem: 'npm', name }, ranges }] as const;
  const summary = `Malicious code in ${name} (npm)`;
  listRecord(origin, { id, affected, summary, ...some }, registry.clock.at(0));
  await run();
};

/** Submits and approves a version. Its publication time is unknown, so that it counts as old. */
const submitApproved = async (name: string, version = '1.0.0'): Promise<void> => {
  await registry.submit({ ecosystem: 'npm', name, version });
  await registry.post(packagePath(name, `/approve?version=${version}`), {});
};

const statusOf = async (name: string): Promise<unknown> => {
  const { body } = await registry.get(`${packagePath(name)}?version=1.0.0`);
  return (body as { status: unknown }).status;
};

const decide = (id: string, body: object) => registry.post(`${list}/${id}`, body);

it('are listed, and their versions stay approved until somebody decides', async () => {
  await submitApproved('axios');
  await submitApproved('axios', '1.1.0');

  await listForAll('MAL-2026-1', 'axios');

  expect(await statusOf('axios')).toBe('approved');
  expect((await registry.get(list)).body).toMatchObject({
    held_recalls: [
      {
        ...{ record: 'MAL-2026-1', ecosystem: 'npm', summary: 'Malicious code in axios (npm)' },
        ...{ reasons: ['bare_range'], versions: 2, packages: ['axios'], confirmed: null },
      },
    ],
    next: null,
  });
});

it('recall their versions at the next run after a confirmation, with the name of the person', async () => {
  const { status, body } = await decide('mal-2026-1', { reason: 'We saw it run' });

  expect(status).toBe(200);
  expect(body).toMatchObject({ record: 'MAL-2026-1', decision: 'recall', versions: 2 });
  expect((await decide('MAL-2026-1', { reason: 'Again' })).body).toMatchObject({
    code: 'decision_conflict',
  });
  await run();
  expect((await registry.get(`${packagePath('axios')}?version=1.0.0`)).body).toMatchObject({
    ...{ status: 'rejected', rejected_by: 'registry' },
    reason: `Recalled: MAL-2026-1: Malicious code in axios (npm). Confirmed by a reviewer`,
  });
  expect((await registry.get(list)).body).toEqual({ held_recalls: [], next: null });
  expect((await registry.get('/api/v1/recalls')).body).toMatchObject({
    recalls: [{ name: 'axios' }, { name: 'axios' }],
  });
});

it('release what they recalled after a withdrawal', async () => {
  await listForAll('MAL-2026-1', 'axios', { withdrawn: registry.clock.at(0) });

  expect(await statusOf('axios')).toBe('approved');
});

it('hold nothing any more after a dismissal, until they name something else', async () => {
  await submitApproved('debug');
  await listForAll('MAL-2026-2', 'debug');
  const wrong = await decide('MAL-2026-2', {
    ...{ decision: 'dismiss', reason: 'Wrong' },
    held_at: '2020-01-01T00:00:00.000Z',
  });
  expect(wrong.body).toMatchObject({ code: 'decision_conflict' });

  const { status } = await decide('MAL-2026-2', { decision: 'dismiss', reason: 'Wrong' });

  expect(status).toBe(200);
  await listForAll('MAL-2026-2', 'debug');
  expect((await registry.get(list)).body).toEqual({ held_recalls: [], next: null });
  expect(await statusOf('debug')).toBe('approved');
  const versions = ['0.0.1'];
  const ranges = [{ type: 'SEMVER', events: [{ introduced: '0' }] }];
  const affected = [{ package: { ecosystem: 'npm', name: 'debug' }, versions, ranges }];
  await listForAll('MAL-2026-2', 'debug', { affected });
  expect((await registry.get(list)).body).toMatchObject({ held_recalls: [{ versions: 1 }] });
});

it('hold nothing any more after their withdrawal', async () => {
  await listForAll('MAL-2026-2', 'debug', { withdrawn: registry.clock.at(0) });

  expect((await registry.get(list)).body).toEqual({ held_recalls: [], next: null });
  expect((await decide('MAL-2026-2', { reason: 'Late' })).body).toMatchObject({
    code: 'held_recall_not_found',
    detail: 'No record MAL-2026-2 is on hold. GET /api/v1/held-recalls lists those on hold.',
  });
});

it('are listed in pages, by their ids', async () => {
  for (const name of ['first', 'second']) await submitApproved(name);
  await listForAll('MAL-2026-11', 'first');
  await listForAll('MAL-2026-12', 'second');

  const first = await registry.get(`${list}?limit=1`);

  expect(first.body).toMatchObject({
    held_recalls: [{ record: 'MAL-2026-11' }],
    next: 'MAL-2026-11',
  });
  expect(first.headers.get('Link')).toContain('after=MAL-2026-11');
  const second = await registry.get(`${list}?limit=1&after=MAL-2026-11`);
  expect(second.body).toMatchObject({ held_recalls: [{ record: 'MAL-2026-12' }] });
});

it('refuse a decision without a reason, and an unknown one', async () => {
  expect((await decide('MAL-2026-3', {})).status).toBe(400);
  expect((await decide('MAL-2026-3', { decision: 'maybe', reason: 'x' })).status).toBe(400);
});
