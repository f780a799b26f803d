import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Quota, takeFromQuota } from '../../../shared/storage/quotas/quotas.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const at = (time: string, idempotencyScope?: string) => ({
  actor: { label: 'ci', fingerprint: 'c0ffee' },
  now: new Date(time),
  deadline: { remainingMs: () => 10_000 },
  idempotencyScope,
});

it('a quota begins anew at midnight (UTC), and says how long that is', async () => {
  const quota: Quota = { name: 'submissionsPerDay', most: 2 };
  const evening = at('2026-11-23T23:59:58.500Z');
  await takeFromQuota(quota, evening);
  await takeFromQuota(quota, evening);

  await expect(takeFromQuota(quota, evening)).rejects.toMatchObject({
    code: 'quota_reached',
    message: expect.stringContaining('Go on from 2026-11-24T00:00:00.000Z'),
    parts: { headers: { 'Retry-After': '2' } },
  });
  await takeFromQuota(quota, at('2026-11-24T00:00:00.000Z'));
});

it('a quota takes one write, with an Idempotency-Key a transaction of two, and nothing where there is none', async () => {
  const quota: Quota = { name: 'scansPerDay', most: 5 };
  const moment = '2026-11-23T12:00:00.000Z';

  const alone = await measure(() => takeFromQuota(quota, at(moment)));
  const keyed = await measure(() => takeFromQuota(quota, at(moment, 'key')));
  const none = await measure(() => takeFromQuota({ ...quota, most: 0 }, at(moment)));

  expect([alone, keyed, none].map(({ calls }) => calls)).toEqual([1, 1, 0]);
  expect([alone, keyed].map(({ writeUnits }) => writeUnits)).toEqual([1, 4]);
});
