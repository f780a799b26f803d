import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import type { PackageDetail } from '../../../shared/api/schemas/package.ts';
import { readTableName } from '../../../shared/api/settings/env.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { toScanResult } from '../../../shared/domain/vulnerabilities/scan-result.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { createCatalogue } from '../../../shared/storage/catalogue/catalogue.ts';
import { defaultLayout } from '../../../shared/storage/catalogue/layout.ts';
import { oldestFirst } from '../../../shared/storage/catalogue/order.ts';
import { listRecords } from '../../../shared/storage/decisions/records.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { toIndexKeys } from '../../../shared/storage/packages/version-keys.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { readReviewState, toReviewStateKey } from '../../../shared/storage/reviews/review-state.ts';
import { runDueWork } from '../../../shared/use-cases/due-work/run-due-work.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { saveScan } from '../../../shared/use-cases/scanning/keep-scan.ts';
import { scanContext, writeContext } from '../../capacity/write-context.ts';
import { indexReviews } from '../../storage/integrity/reviewed-registry.ts';
import { listAllDue } from '../../support/all-due.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { canceled, type FaultShares, withFaults } from '../../support/faults.ts';
import { meanwhile } from '../../support/meanwhile.ts';
import { createRandom } from '../../support/random.ts';
import { inSimulatedTime } from '../../support/simulated-time.ts';

const minuteMs = 60_000;
const enoughTime = { remainingMs: () => 30_000 };
const began = Date.now();
const inMinutes = (minutes: number): Date => new Date(began + minutes * minuteMs);

let engine: TestEngine;

beforeEach(async () => {
  engine = await startEngine();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await engine.close();
});

const makeId = (at: number): PackageId => ({
  ecosystem: 'npm',
  name: `package-${at}`,
  version: '1.0.0',
});

const approveUntil = (id: PackageId, until: Date, by = 'ana'): Promise<PackageDetail> =>
  decidePackage(
    id,
    { to: 'approved', by, reason: 'for now', expires_at: until.toISOString() },
    writeContext(),
  );

/** Approves as many versions; those of the first run out first. */
const approveMany = async (count: number): Promise<PackageId[]> => {
  const ids = Array.from({ length: count }, (_, at) => makeId(at));
  for (const [at, id] of ids.entries()) {
    await submitPackage(id, writeContext());
    await approveUntil(id, inMinutes(10 + at / 10));
  }
  return ids;
};

const work = (now: Date) => runDueWork({ now, deadline: enoughTime });

const readTypes = async (id: PackageId): Promise<string[]> => {
  const records = await listRecords(id, { count: 100 });
  return records.map(({ type }) => type.replace('package.', '')).reverse();
};

const readStanding = async (id: PackageId) => {
  const { status, revision, expires_at } = (await findVersion(id)) ?? {};
  return { status, revision, expires_at };
};

const countListed = async (status: PackageDetail['status']): Promise<number> =>
  (await createCatalogue(defaultLayout)({ status, order: oldestFirst, limit: 1, offset: 0 })).total;

const expectNoProblems = async (): Promise<void> => {
  await indexReviews();
  const report = await checkIntegrity(IntegrityReport.parse({}), defaultLayout, enoughTime);
  expect(report).toMatchObject({ done: true, examples: [], unjudged: 0 });
};

const submittedAndExpired = ['submitted', 'approved', 'expired'];
const expired = { status: 'pending', revision: 2, expires_at: null };

describe('a decision that meets the end of the approval', () => {
  it.each(['approved', 'rejected'] as const)('is made after it: %s', async (to) => {
    const [id = makeId(0)] = await approveMany(1);
    const expires_at = to === 'approved' ? inMinutes(90).toISOString() : null;

    const detail = await meanwhile(
      () => work(inMinutes(60)),
      () => decidePackage(id, { to, by: 'ben', reason: 'on time', expires_at }, writeContext()),
    );

    expect(detail).toMatchObject({ status: to, previous: { by: 'ana', reason: 'for now' } });
    expect(await readTypes(id)).toEqual([...submittedAndExpired, to]);
    await expectNoProblems();
  });
});

describe('approvals that ran out', () => {
  it('return to pending once each, however many wait after runs that were missed', async () => {
    const ids = await approveMany(60);

    expect(await work(inMinutes(9))).toEqual({});
    const report = await work(inMinutes(14));

    // Those of minutes 10 to 14.
    expect(report).toEqual({ expiry: { done: 41, failed: 0, late_seconds: 240 } });
    expect(await work(inMinutes(14))).toEqual({});
    expect(await work(inMinutes(60))).toMatchObject({ expiry: { done: 19, failed: 0 } });
    for (const id of ids) {
      expect(await readTypes(id)).toEqual(submittedAndExpired);
      expect(await readStanding(id)).toEqual(expired);
      expect(await readReviewState(id)).toMatchObject(expired);
    }
    expect([await countListed('pending'), await countListed('approved')]).toEqual([60, 0]);
    expect(await listAllDue(inMinutes(100))).toEqual([]);
    await expectNoProblems();
  });

  const shares: FaultShares = { conflict: 10, throttling: 5, lostAnswer: 10, lateWrite: 5 };

  it('return once each where three workers and reviewers meet, through faults', async () => {
    const ids = await approveMany(40);
    const random = createRandom(3);
    const now = inMinutes(60);
    const reject = async (id: PackageId): Promise<unknown> =>
      decidePackage(id, { to: 'rejected', by: 'bob' }, { ...writeContext(), now });

    await withFaults(
      random,
      () =>
        Promise.all([
          ...[1, 2, 3].map(() => work(now)),
          ...ids.filter((_, at) => at % 4 === 3).map(reject),
        ]),
      shares,
    );

    for (const [at, id] of ids.entries()) {
      const isRejected = at % 4 === 3;
      const types = isRejected ? [...submittedAndExpired, 'rejected'] : submittedAndExpired;
      expect(await readTypes(id)).toEqual(types);
      expect(await readStanding(id)).toEqual(
        isRejected ? { ...expired, status: 'rejected', revision: 3 } : expired,
      );
    }
    expect([await countListed('pending'), await countListed('rejected')]).toEqual([30, 10]);
    await expectNoProblems();
  });

  it('expire before whoever decides on them decides', async () => {
    const [id = makeId(0)] = await approveMany(1);

    const detail = await decidePackage(
      id,
      { to: 'approved', by: 'bob' },
      { ...writeContext(), now: inMinutes(20) },
    );

    expect(detail).toMatchObject({
      approved_by: 'bob',
      previous: { status: 'approved', by: 'ana' },
    });
    expect(await readTypes(id)).toEqual([...submittedAndExpired, 'approved']);
    expect(await readStanding(id)).toEqual({ status: 'approved', revision: 3, expires_at: null });
    expect(await work(inMinutes(30))).toEqual({});
  });

  it('cost themselves alone where they cannot return', async () => {
    const ids = await approveMany(30);
    const Key = toReviewStateKey(makeId(4));
    await dynamodb.send(new DeleteCommand({ TableName: readTableName('reviews'), Key }));

    await expect(work(inMinutes(60))).rejects.toThrow('1 of what was due failed');

    for (const [at, id] of ids.entries()) {
      expect(await readTypes(id)).toEqual(
        at === 4 ? ['submitted', 'approved'] : submittedAndExpired,
      );
    }
    const left = await listAllDue(inMinutes(60));
    expect(left).toMatchObject([{ name: 'package-4' }]);
  });

  it('do not wait for as many as are done at once that never get through', async () => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const ids = await approveMany(10);
    const isStuck = (writes: string): boolean =>
      ids.slice(0, 4).some(({ name }) => writes.includes(`${name}#`));

    const run = inSimulatedTime(
      minuteMs,
      (writes, spend) => {
        if (!isStuck(writes)) return;
        spend(1000);
        throw canceled('TransactionConflict');
      },
      (deadline) => runDueWork({ now: inMinutes(60), deadline }),
    );

    await expect(run).rejects.toThrow('4 of what was due failed');
    const expectations = ids.map((_, at) => (at < 4 ? 'approved' : 'pending'));
    const standings = await Promise.all(ids.map(readStanding));
    expect(standings.map(({ status }) => status)).toEqual(expectations);
  });

  it.each(['worker', 'reviewer'])(
    'give way where another version stands at their place, by a %s',
    async (who) => {
      const [id = makeId(0), other = makeId(1)] = await approveMany(2);
      const [one, two] = [await findVersion(id), await findVersion(other)];
      if (!one || !two) throw new Error('There are too few versions');
      const Item = { ...two, ...toIndexKeys({ ...two, sequence: one.sequence }) };
      await dynamodb.send(new PutCommand({ TableName: readTableName('packages'), Item }));

      if (who === 'worker') await work(inMinutes(60));
      else {
        const context = { ...writeContext(), now: inMinutes(60) };
        await decidePackage(other, { to: 'rejected', by: 'bob' }, context);
      }

      expect((await readTypes(other)).slice(0, 3)).toEqual(submittedAndExpired);
      expect((await findVersion(other))?.sequence).not.toBe(one.sequence);
    },
  );

  it('return where a scan comes meanwhile', async () => {
    const ids = await approveMany(20);
    const scan = async (id: PackageId): Promise<void> => {
      const finished = { tools: ['a-scanner'], findings: [] };
      const result = toScanResult(id, finished, { policy: defaultScanPolicy, now: new Date() });
      for (let at = 0; at < 4; at += 1) await saveScan(id, result, scanContext());
    };

    const [report] = await Promise.all([work(inMinutes(60)), ...ids.map(scan)]);

    expect(report).toMatchObject({ expiry: { done: 20, failed: 0 } });
  });
});

describe('an approval', () => {
  it('is given again until the same time, and runs out once', async () => {
    const [id = makeId(0)] = await approveMany(1);

    const again = await approveUntil(id, inMinutes(10), 'bob');
    await work(inMinutes(60));

    expect(again).toMatchObject({ approved_by: 'bob', previous: { by: 'ana' } });
    expect(await readTypes(id)).toEqual(['submitted', 'approved', 'approved', 'expired']);
  });
});
