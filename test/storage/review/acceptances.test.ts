import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readTableName } from '../../../shared/api/settings/env.ts';
import { RegistryError } from '../../../shared/domain/errors.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { toMergedScan } from '../../../shared/domain/vulnerabilities/merged-scan.ts';
import { findStandingStatus } from '../../../shared/domain/vulnerabilities/scan-summary.ts';
import { dynamodb } from '../../../shared/storage/dynamodb/dynamodb.ts';
import { listAttention } from '../../../shared/storage/reviews/attention.ts';
import { listExpirations } from '../../../shared/storage/reviews/due.ts';
import { readReviewFile } from '../../../shared/storage/reviews/review-file.ts';
import { readReviewState, toReviewStateKey } from '../../../shared/storage/reviews/review-state.ts';
import {
  mostGlobal,
  mostOfOneId,
  readAcceptanceCounter,
} from '../../../shared/storage/vulnerabilities/acceptances.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { listHistory } from '../../../shared/use-cases/review/list-history.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { showAcceptances } from '../../../shared/use-cases/vulnerability-index/show-acceptance.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { listAllDue } from '../../support/all-due.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { meanwhile } from '../../support/meanwhile.ts';
import { inSimulatedTime } from '../../support/simulated-time.ts';
import { runCheck } from '../integrity/reviewed-registry.ts';
import {
  accept,
  enoughTime,
  index,
  inMinutes,
  npm,
  policy,
  readRecords,
  scan,
  viewpoint,
  withdraw,
  work,
} from './accepted-registry.ts';

const cve = 'CVE-2021-23337';
const ghsa = 'GHSA-35jh-r3h4-6jhm';

let engine: TestEngine;

beforeEach(async () => {
  engine = await startEngine();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await engine.close();
});

/** Submits versions that have the vulnerability, known to the index; approved where nothing stood in the way yet. */
const submitAffected = async (
  ids: readonly PackageId[],
  { approved = false } = {},
): Promise<void> => {
  for (const id of ids) {
    await submitPackage(id, writeContext());
    if (approved) await decidePackage(id, { to: 'approved', by: 'ana' }, writeContext());
    await scan(id, [{ id: cve, aliases: [ghsa] }]);
    await index(id);
  }
};

const statusOf = async (id: PackageId, now = inMinutes(2)) =>
  findStandingStatus(await readReviewState(id), viewpoint(now));

const statusesOf = (ids: readonly PackageId[], now?: Date) =>
  Promise.all(ids.map((id) => statusOf(id, now)));

const attentionAt = async (now: Date): Promise<string[]> =>
  (await listAttention({ limit: 100 }, now)).attention.map(({ name }) => name);

const typesOf = async () =>
  (await readRecords('vulnerability.accepted', 'acceptance.ended', 'package.attention')).map(
    ({ type, name }) => `${type} ${name ?? 'everywhere'}`,
  );

const mergeScans = async (id: PackageId, now: Date, by = policy) =>
  toMergedScan(id, await readReviewFile(id), { now, policy: by });

const codeOf = (error: unknown): string =>
  error instanceof RegistryError ? error.code : String(error);

const put = (item: object) =>
  dynamodb.send(new PutCommand({ TableName: readTableName('reviews'), Item: { ...item } }));

const lodash = npm('lodash');
const others = [npm('chalk'), npm('lodash', '2.0.0')];

describe('a vulnerability that is accepted in one version', () => {
  it('stays visible, marked, and counts in none of its counters at once', async () => {
    await submitAffected([lodash, ...others]);

    const answer = await accept(cve.toLowerCase(), { ...lodash, version: 'v1.0.0'.slice(1) });

    expect(answer).toMatchObject({ id: cve, number: 1, affects: 1, version: '1.0.0', ended: null });
    const mergedScan = await mergeScans(lodash, inMinutes(2));
    expect(mergedScan).toMatchObject({
      status: 'passed',
      severity: { high: 0 },
      tools: [{ status: 'passed', severity: { high: 0 } }],
      vulnerabilities: [
        { id: cve, accepted: { id: cve, number: 1, until: inMinutes(60).toISOString() } },
      ],
    });
    expect(await statusesOf(others)).toEqual(['failed', 'failed']);
  });

  it('counts again from its end on, by the clock alone', async () => {
    await submitAffected([lodash], { approved: true });
    expect(await attentionAt(inMinutes(2))).toEqual(['lodash']);

    await accept(cve, lodash);

    expect(await attentionAt(inMinutes(59))).toEqual([]);
    expect(await statusOf(lodash, inMinutes(59))).toBe('passed');
    expect(await attentionAt(inMinutes(60))).toEqual(['lodash']);
    expect(await statusOf(lodash, inMinutes(60))).toBe('failed');
    expect(await mergeScans(lodash, inMinutes(60))).toMatchObject({
      status: 'failed',
      severity: { high: 1 },
      vulnerabilities: [{ accepted: null }],
    });
    const [shown] = await showAcceptances(cve, inMinutes(60));
    expect(shown?.ended).toEqual({
      ...{ how: 'expired', at: inMinutes(60).toISOString(), by: null, reason: null },
    });
  });

  it('does not count whatever the settings say of its severity', async () => {
    await submitAffected([lodash]);
    await accept(cve, lodash);
    const strict = { ...policy, failedFrom: 'low' } as const;

    expect(await mergeScans(lodash, inMinutes(2), strict)).toMatchObject({ status: 'passed' });
    expect(await mergeScans(lodash, inMinutes(60), strict)).toMatchObject({ status: 'failed' });
  });

  it('covers what scans find later', async () => {
    await submitPackage(lodash, writeContext());

    const answer = await accept(cve, lodash);
    await scan(lodash, [{ id: cve }]);

    expect(answer.affects).toBe(0);
    expect(await statusOf(lodash)).toBe('passed');
  });

  it('is not hidden from by an upload that calls another one so', async () => {
    await submitAffected([lodash]);
    await scan(lodash, [{ id: 'CVE-2024-0001', aliases: ['X-1'] }], 'trivy');
    await accept('X-1', lodash);

    // The upload covers itself; what OSV.dev found it does not.
    expect(await mergeScans(lodash, inMinutes(2))).toMatchObject({ severity: { high: 1 } });
  });

  it('needs a version that exists', async () => {
    expect(await accept(cve, lodash).catch(codeOf)).toBe('package_not_found');
    expect(await readAcceptanceCounter(cve)).toBeUndefined();
  });
});

describe('a vulnerability that is accepted in many versions', () => {
  it('reaches every one of them by the clock, and those that get it later', async () => {
    await submitAffected([lodash, ...others]);

    const answer = await accept(cve);
    expect(answer).toMatchObject({ affects: 3, ecosystem: null, name: null, version: null });
    expect(await statusOf(lodash)).toBe('failed');
    await work();
    expect(await statusesOf([lodash, ...others])).toEqual(['passed', 'passed', 'passed']);

    const late = npm('late');
    await submitAffected([late]);
    expect(await statusOf(late)).toBe('passed');
    expect(await listAllDue(inMinutes(5))).toEqual([]);
  });

  it.each([
    ['a package', { ecosystem: 'npm', name: 'lodash' } as const, 2],
    ['an ecosystem', { ecosystem: 'npm' } as const, 3],
    ['another ecosystem', { ecosystem: 'pypi' } as const, 0],
  ])('holds within its scope alone: %s', async (_, scope, affects) => {
    const all = [lodash, ...others].sort((one) => (one.name === 'lodash' ? -1 : 1));
    await submitAffected([...all, npm('lodash-es')].slice(0, 3));

    expect(await accept(cve, scope)).toMatchObject({ affects });
    await work();

    const statuses = await statusesOf(all);
    expect(statuses.filter((status) => status === 'passed')).toHaveLength(affects);
    const late = npm('lodash', '3.0.0');
    await submitAffected([late]);
    expect(await statusOf(late)).toBe(affects > 0 ? 'passed' : 'failed');
  });

  it('is covered where nothing has it yet', async () => {
    expect(await accept(cve)).toMatchObject({ affects: 0 });
    await work();
    await submitAffected([lodash]);

    expect(await statusOf(lodash)).toBe('passed');
  });

  it('goes on where its time ran out', async () => {
    const many = Array.from({ length: 60 }, (_, at) => npm(`many-${String(at).padStart(2, '0')}`));
    await submitAffected(many);
    await accept(cve);
    let calls = 0;
    const brief = {
      remainingMs: () => {
        calls += 1;
        // The work itself asks too: each transaction once.
        return calls < 30 ? 30_000 : 9_000;
      },
    };

    await work(inMinutes(1), brief);
    const first = await statusesOf(many);
    const [row] = await listAllDue(inMinutes(5));

    expect(new Set(first)).toEqual(new Set(['passed', 'failed']));
    expect(row).toMatchObject({ kind: 'acceptance', after: expect.stringContaining('many-') });
    await work(inMinutes(2));
    expect(new Set(await statusesOf(many))).toEqual(new Set(['passed']));
  });

  it('costs a version that cannot be read itself alone, until that is mended', async () => {
    await submitAffected([lodash, ...others]);
    const TableName = readTableName('reviews');
    const head = await readReviewState(lodash);
    await dynamodb.send(new DeleteCommand({ TableName, Key: toReviewStateKey(lodash) }));

    await accept(cve);
    await work(inMinutes(1));
    expect(await statusesOf(others)).toEqual(['passed', 'passed']);
    await expect(work(inMinutes(2))).rejects.toThrow('1 of what was due failed');

    await put({ ...toReviewStateKey(lodash), ...head });
    await work(inMinutes(3));
    expect(await statusOf(lodash)).toBe('passed');
  });
});

describe('an acceptance whose time is over', () => {
  it('is ended by the clock, which tells of approved versions that fail from then on', async () => {
    await submitAffected([lodash, ...others], { approved: true });
    await accept(cve, {}, inMinutes(1));
    await accept(cve, lodash, inMinutes(1));
    await work(inMinutes(1));
    const before = await typesOf();

    await work(inMinutes(61));
    await work(inMinutes(62));

    const after = (await typesOf()).slice(before.length);
    expect(after.toSorted()).toEqual([
      'acceptance.ended everywhere',
      'acceptance.ended lodash',
      'package.attention chalk',
      'package.attention lodash',
      'package.attention lodash',
    ]);
    expect((await readReviewFile(lodash)).acceptances).toEqual([]);
    expect(await readReviewState(lodash)).toMatchObject({ accepted: [], counts: { high: 1 } });
    expect(await readAcceptanceCounter(cve)).toMatchObject({ live: 0, last: 2 });
    expect(await showAcceptances(cve, inMinutes(62))).toMatchObject([
      { number: 2, ended: { how: 'expired', by: null } },
      { number: 1, ended: { how: 'expired', by: null } },
    ]);
    expect(await listAllDue(inMinutes(99))).toEqual([]);
  });

  it('is ended once, by however many workers', async () => {
    await submitAffected([lodash], { approved: true });
    await accept(cve);
    await accept(cve, lodash);
    await work();

    await Promise.all([work(inMinutes(61)), work(inMinutes(61)), work(inMinutes(61))]);
    await work(inMinutes(62));

    const ended = await readRecords('acceptance.ended');
    expect(ended.map(({ acceptance }) => acceptance).sort()).toEqual([1, 2]);
    expect(await readAcceptanceCounter(cve)).toMatchObject({ live: 0 });
  });

  it('leaves the expirations of approvals as they are', async () => {
    await submitPackage(lodash, writeContext());
    const expires_at = inMinutes(90).toISOString();
    await decidePackage(lodash, { to: 'approved', by: 'ana', expires_at }, writeContext());
    for (let at = 0; at < 5; at += 1) await accept(`CVE-2024-${at}`);

    const { result: page, calls } = await measure(() =>
      listExpirations({ limit: 1 }, inMinutes(0)),
    );

    expect(page).toEqual({ expirations: [{ ...lodash, expires_at }], next: null });
    expect(calls).toBe(1);
  });
});

describe('taking an acceptance back', () => {
  it('is done at once in one version', async () => {
    await submitAffected([lodash], { approved: true });
    await accept(cve, lodash);

    expect(await withdraw(cve, 1)).toMatchObject({
      affects: 1,
      ended: { how: 'withdrawn', reason: 'It is reachable' },
    });
    expect(await statusOf(lodash)).toBe('failed');
    expect(await attentionAt(inMinutes(2))).toEqual(['lodash']);
  });

  it('is done by the clock in others, also in those that do not have it any more', async () => {
    await submitAffected([lodash, ...others]);
    await accept(cve);
    await work();
    await scan(lodash, []);
    await index(lodash);

    expect(await withdraw(cve, 1)).toMatchObject({ affects: 3 });
    await work(inMinutes(2));
    await scan(lodash, [{ id: cve }]);
    await index(lodash);

    expect(await statusesOf([lodash, ...others])).toEqual(['failed', 'failed', 'failed']);
    expect(await withdraw(cve, 1).catch(codeOf)).toBe('acceptance_not_found');
    expect(await accept(cve)).toMatchObject({ number: 2 });
  });

  it('ends it before it has reached anything', async () => {
    await submitAffected([lodash]);
    await accept(cve);
    await withdraw(cve, 1);

    await work(inMinutes(2));

    expect(await statusOf(lodash)).toBe('failed');
    expect((await readReviewFile(lodash)).acceptances).toEqual([]);
    expect(await listAllDue(inMinutes(99))).toEqual([]);
  });

  it('leaves no mark behind where it is brought to a version at that moment', async () => {
    await submitAffected([lodash]);
    await accept(cve);
    const takeBack = async () => {
      await withdraw(cve, 1);
      await work(inMinutes(2));
    };

    await meanwhile<unknown>(takeBack, () => work());
    await work(inMinutes(3));

    expect((await readReviewFile(lodash)).acceptances).toEqual([]);
    expect(await statusOf(lodash)).toBe('failed');
  });

  it('finds none whose time is over', async () => {
    await accept(cve);

    expect(await withdraw(cve, 1, inMinutes(60)).catch(codeOf)).toBe('acceptance_not_found');
    expect(await withdraw(cve, 2).catch(codeOf)).toBe('acceptance_not_found');
    expect(await withdraw('CVE-2000-1', 1).catch(codeOf)).toBe('acceptance_not_found');
  });
});

describe('an acceptance that ended and could not be removed from a version', () => {
  beforeEach(() => vi.spyOn(process.stdout, 'write').mockReturnValue(true));

  const breakHead = async (id: PackageId): Promise<() => Promise<unknown>> => {
    const TableName = readTableName('reviews');
    const head = await readReviewState(id);
    await dynamodb.send(new DeleteCommand({ TableName, Key: toReviewStateKey(id) }));
    return () => put({ ...toReviewStateKey(id), ...head });
  };

  it('is removed from all others, and from it once that is mended', async () => {
    // More than are read at once; the first one is broken.
    const many = Array.from({ length: 30 }, (_, at) => npm(`many-${String(at).padStart(2, '0')}`));
    const [broken = lodash, ...sound] = many;
    await submitAffected(many);
    await accept(cve);
    await work();
    const mend = await breakHead(broken);
    await withdraw(cve, 1);

    for (const minutes of [2, 3]) {
      await expect(work(inMinutes(minutes))).rejects.toThrow('1 of what was due failed');
    }
    expect(new Set(await statusesOf(sound))).toEqual(new Set(['failed']));

    await mend();
    expect(await statusOf(broken)).toBe('passed');
    await work(inMinutes(4));
    expect(await statusOf(broken)).toBe('failed');
    expect((await readReviewFile(broken)).acceptances).toEqual([]);
    expect(await listAllDue(inMinutes(99))).toEqual([]);
  });

  it('is ended once that is mended, where it was of this version alone and its time is over', async () => {
    await submitAffected([lodash]);
    await accept(cve, lodash);
    const mend = await breakHead(lodash);

    await expect(work(inMinutes(61))).rejects.toThrow('1 of what was due failed');
    expect(await readRecords('acceptance.ended')).toEqual([]);

    await mend();
    await work(inMinutes(62));
    expect((await readReviewFile(lodash)).acceptances).toEqual([]);
    expect(await readRecords('acceptance.ended')).toHaveLength(1);
    expect(await listAllDue(inMinutes(99))).toEqual([]);
  });
});

describe('a run with more to do than it has time for', () => {
  const submitExpired = async (count: number): Promise<PackageId[]> => {
    const ids = Array.from({ length: count }, (_, at) => npm(`expired-${at}`));
    const expires_at = inMinutes(0.5).toISOString();
    const context = { ...writeContext(), now: inMinutes(0) };
    for (const id of ids) {
      await submitPackage(id, context);
      await decidePackage(id, { to: 'approved', by: 'ana', expires_at }, context);
    }
    return ids;
  };
  const countExpired = async (ids: readonly PackageId[]): Promise<number> => {
    const heads = await Promise.all(ids.map((id) => readReviewState(id)));
    return heads.filter(({ status }) => status === 'pending').length;
  };
  /** Does what 30 transactions can, besides the time that no run uses. */
  const workBriefly = () =>
    inSimulatedTime(
      10_000 + 30 * 100,
      (_, spend) => spend(100),
      (deadline) => work(inMinutes(2), deadline),
    );

  it('removes an acceptance that was withdrawn, however many approvals expired before', async () => {
    await submitAffected([lodash, ...others]);
    await accept(cve);
    await work(inMinutes(0));
    const expired = await submitExpired(40);
    await withdraw(cve, 1);
    expect(await statusesOf([lodash, ...others])).toEqual(['passed', 'passed', 'passed']);

    const report = await workBriefly();

    expect(await statusesOf([lodash, ...others])).toEqual(['failed', 'failed', 'failed']);
    const done = await countExpired(expired);
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(40);
    expect(report).toEqual({
      'acceptance-over': { done: 1, failed: 0, late_seconds: 60 },
      expiry: { done, failed: 0, late_seconds: 90 },
    });
  });

  it('expires approvals, however many versions an acceptance is removed from', async () => {
    const many = Array.from({ length: 60 }, (_, at) => npm(`many-${String(at).padStart(2, '0')}`));
    await submitAffected(many);
    await accept(cve);
    await work(inMinutes(0));
    const expired = await submitExpired(3);
    await withdraw(cve, 1);

    await workBriefly();

    expect(await countExpired(expired)).toBe(3);
    const removed = (await statusesOf(many)).filter((status) => status === 'failed').length;
    expect(removed).toBeGreaterThan(0);
    expect(removed).toBeLessThan(60);
    await work(inMinutes(3));
    expect(new Set(await statusesOf(many))).toEqual(new Set(['failed']));
  });

  it('logs how late it was for each kind', async () => {
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await submitAffected([lodash]);
    await accept(cve);
    await withdraw(cve, 1, inMinutes(0.75));
    await submitExpired(1);

    await work(inMinutes(2));

    const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)));
    expect(lines.filter(({ event }) => event === 'due_work')).toMatchObject([
      { kind: 'acceptance-over', done: 1, failed: 0, late_seconds: 75 },
      { kind: 'expiry', done: 1, failed: 0, late_seconds: 90 },
      { kind: 'acceptance', done: 1, failed: 0, late_seconds: 120 },
    ]);
  });
});

describe('the integrity check', () => {
  it('finds nothing wrong with acceptances, made, on versions and over', async () => {
    await submitAffected([lodash, ...others]);
    await accept(cve);
    await accept('CVE-2024-NOWHERE', { ecosystem: 'npm', name: 'absent' });
    await work();
    await accept(ghsa, lodash);
    await accept(cve, { ecosystem: 'npm', name: 'chalk' });
    await withdraw(cve, 1);
    for (const id of [lodash, ...others]) await index(id);

    expect(await runCheck(false)).toMatchObject({ done: true, examples: [], unjudged: 0 });
  });

  it('has what is accepted brought to a version that it lists anew', async () => {
    await accept(cve);
    await work();
    await submitPackage(lodash, writeContext());
    await scan(lodash, [{ id: cve }]);

    // What follows from the stream got lost.
    expect(await runCheck(true)).toMatchObject({ found: { wrong_listing: 1 }, repaired: 1 });
    await work(inMinutes(5));

    expect(await statusOf(lodash)).toBe('passed');
  });
});

describe('the number of acceptances', () => {
  it('is bounded exactly, of those beyond one package', async () => {
    await put({ v: '#acceptances', k: '#', live: mostGlobal - 2 });

    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        accept(`CVE-2024-${at}`, at % 2 ? { ecosystem: 'npm' } : {}).then(() => 'made', codeOf),
      ),
    );

    expect(outcomes.filter((outcome) => outcome === 'made')).toHaveLength(2);
    expect(outcomes.filter((outcome) => outcome === 'too_many_acceptances')).toHaveLength(4);
    expect(await accept(cve, { ecosystem: 'npm', name: 'lodash' })).toMatchObject({ number: 1 });
    const made = outcomes.indexOf('made');
    await withdraw(`CVE-2024-${made}`, 1);
    expect(await accept(cve)).toMatchObject({ number: 2 });
  });

  it('is bounded for each id, and numbers are never given again', async () => {
    const counter = { v: `#vuln#${cve}`, k: '#acceptances', last: 5000, live: mostOfOneId - 2 };
    await put(counter);
    const scope = { ecosystem: 'npm', name: 'lodash' } as const;

    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => accept(cve, scope).then(({ number }) => number, codeOf)),
    );

    const numbers = outcomes.filter((outcome) => typeof outcome === 'number').sort();
    expect(numbers).toEqual([5001, 5002]);
    expect(outcomes.filter((outcome) => outcome === 'too_many_acceptances')).toHaveLength(3);
  });
});

describe('what is recorded', () => {
  it('is in the history of the version or the package that it is about', async () => {
    await submitPackage(lodash, { ...writeContext(), now: inMinutes(0) });
    await accept(cve, lodash, inMinutes(1));
    await accept(cve, { ecosystem: 'npm', name: 'lodash' }, inMinutes(2));
    await accept(cve);
    await withdraw(cve, 2, inMinutes(3));

    const { history } = await listHistory({ name: 'lodash' }, { limit: 10 });
    const ofVersion = await listHistory(lodash, { limit: 10 });

    expect(history.map(({ type, version, acceptance }) => [type, version, acceptance])).toEqual([
      ['acceptance.ended', null, { vulnerability: cve, number: 2 }],
      ['vulnerability.accepted', null, { vulnerability: cve, number: 2 }],
      ['vulnerability.accepted', '1.0.0', { vulnerability: cve, number: 1 }],
      ['package.submitted', '1.0.0', null],
    ]);
    expect(ofVersion.history).toHaveLength(2);
    const [everywhere] = (await readRecords('vulnerability.accepted')).filter(({ name }) => !name);
    expect(everywhere).toMatchObject({ package_key: `vulnerability#${cve}`, acceptance: 3 });
  });
});

it('refuses an end that is no time to come within a year', async () => {
  for (const minutes of [0, 367 * 24 * 60]) {
    const expires_at = inMinutes(minutes).toISOString();
    expect(await accept(cve, { expires_at }).catch(codeOf)).toBe('validation_failed');
  }
  expect(await accept('é').catch(codeOf)).toBe('validation_failed');
  expect(await accept('x'.repeat(129)).catch(codeOf)).toBe('validation_failed');
  expect(enoughTime.remainingMs()).toBeGreaterThan(0);
});
