import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { toFinding } from '../../../shared/domain/vulnerabilities/finding.ts';
import { toMergedScan } from '../../../shared/domain/vulnerabilities/merged-scan.ts';
import {
  type FinishedScan,
  toScanResult,
} from '../../../shared/domain/vulnerabilities/scan-result.ts';
import { findStandingStatus } from '../../../shared/domain/vulnerabilities/scan-summary.ts';
import type { Rating } from '../../../shared/domain/vulnerabilities/severity.ts';
import {
  defaultScanPolicy,
  type ScanPolicy,
} from '../../../shared/domain/vulnerabilities/verdict.ts';
import { listAttention } from '../../../shared/storage/reviews/attention.ts';
import { putMark, readReviewFile } from '../../../shared/storage/reviews/review-file.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { sweepAttention } from '../../../shared/use-cases/due-work/sweep-attention.ts';
import { changeEvidence } from '../../../shared/use-cases/review/change-evidence.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { findEvidenceVersion } from '../../../shared/use-cases/review/evidence-version.ts';
import {
  type ApprovalRules,
  judgeVersion,
} from '../../../shared/use-cases/review/judge-version.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { dismissScans } from '../../../shared/use-cases/scanning/dismiss-scans.ts';
import { saveScan } from '../../../shared/use-cases/scanning/keep-scan.ts';
import { scanContext, writeContext } from '../../capacity/write-context.ts';
import { nothing, runCheck } from '../../storage/integrity/reviewed-registry.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { withFaults } from '../../support/faults.ts';
import { createRandom } from '../../support/random.ts';
import { index } from '../vulnerability-index/accepted-registry.ts';

const id: PackageId = { ecosystem: 'npm', name: 'left-pad', version: '1.3.0' };
const minuteMs = 60_000;
const inMinutes = (minutes: number): Date => new Date(Date.now() + minutes * minuteMs);

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
  await submitPackage(id, writeContext());
});
afterEach(() => engine.close());

const finding = (vulnerability: string, severity: Rating) =>
  toFinding({ id: vulnerability, severity });

const scanWith = (tool: string, label: string | null, findings: FinishedScan['findings']) => {
  const context = { ...scanContext(), actor: { label, fingerprint: null } };
  const result = toScanResult(id, { tools: [tool], findings }, context);
  return saveScan(id, result, context);
};

/** Accepts a vulnerability of the version for some minutes. */
const accept = (vulnerability: string, minutes: number, until = inMinutes(minutes)) =>
  changeEvidence(
    id,
    ({ sources, findings, acceptances }) => {
      const acceptance = {
        ...{ id: vulnerability, number: 1, reason: 'not reachable', by: 'ana', token_label: null },
        ...{ at: new Date().toISOString(), expires_at: until.toISOString() },
        ...id,
      };
      return {
        after: { sources, findings, acceptances: [...acceptances, acceptance] },
        writes: [putMark(id, acceptance)],
      };
    },
    scanContext(),
  );

const statusAt = async (now: Date, policy: ScanPolicy = defaultScanPolicy) => {
  const file = await readReviewFile(id);
  const mergedScan = toMergedScan(id, file, { now, policy });
  const status = findStandingStatus(file.head, { now, policy });
  expect(mergedScan?.status).toBe(status);
  return { status, mergedScan };
};

const isAttended = async (now: Date): Promise<boolean> =>
  (await listAttention({ limit: 100 }, now)).attention.some(({ name }) => name === id.name);

const approve = (reason = 'fine') =>
  decidePackage(id, { to: 'approved', by: 'ana', reason, override: true }, writeContext());

describe('an accepted vulnerability', () => {
  it('is visible and does not count until its time is over, which nobody writes down', async () => {
    await scanWith('a-scanner', 'ci', [finding('CVE-2026-1', 'critical')]);
    await accept('CVE-2026-1', 60);

    const meanwhile = await statusAt(new Date());
    const afterwards = await statusAt(inMinutes(61));

    expect([meanwhile.status, afterwards.status]).toEqual(['passed', 'failed']);
    expect(meanwhile.mergedScan?.vulnerabilities).toMatchObject([
      { id: 'CVE-2026-1', accepted: { reason: 'not reachable', by: 'ana', number: 1 } },
    ]);
    expect(meanwhile.mergedScan?.severity.critical).toBe(0);
    expect(meanwhile.mergedScan?.tools).toMatchObject([{ status: 'passed' }]);
    expect(afterwards.mergedScan?.vulnerabilities).toMatchObject([{ accepted: null }]);
    expect(afterwards.mergedScan?.severity.critical).toBe(1);
  });

  it('does not stand in the way of an approval, which says so, and asks for attention in time', async () => {
    await scanWith('a-scanner', 'ci', [finding('CVE-2026-1', 'critical')]);
    await accept('CVE-2026-1', 60);
    await decidePackage(id, { to: 'approved', by: 'ana' }, writeContext());

    expect([await isAttended(new Date()), await isAttended(inMinutes(61))]).toEqual([false, true]);
    await index(id);
    expect(await runCheck(false)).toMatchObject({ found: nothing });
  });

  it('covers nothing that an upload calls the same', async () => {
    await scanWith('a-scanner', 'ci', [finding('CVE-2026-1', 'critical')]);
    const alias = toFinding({ id: 'CVE-2026-1', aliases: ['CVE-2026-2'], severity: 'low' });
    await scanWith('b-scanner', 'other', [alias]);

    await accept('CVE-2026-2', 60);

    expect((await statusAt(new Date())).status).toBe('failed');
  });

  it("covers what the registry's own scanner calls the same", async () => {
    await scanWith('a-scanner', 'ci', [finding('CVE-2026-1', 'critical')]);
    const alias = toFinding({ id: 'GHSA-1', aliases: ['CVE-2026-1'], severity: 'low' });
    await scanWith('osv.dev', null, [alias]);

    await accept('GHSA-1', 60);

    expect((await statusAt(new Date())).status).toBe('passed');
  });
});

describe('the version of the evidence', () => {
  const readVersion = async (now = new Date(), rules: ApprovalRules = {}) =>
    findEvidenceVersion(await judgeVersion(id, rules, now), now);

  const high = (vulnerability: string) => finding(vulnerability, 'high');
  const scan = (...findings: readonly ReturnType<typeof finding>[]) =>
    scanWith('a-scanner', 'ci', findings);

  /** The issues that it has, by their codes. */
  const readIssues = async () => (await judgeVersion(id, {}, new Date())).issues;

  it('stays as it is when a scan finds the same again', async () => {
    await scan(high('CVE-2026-1'));
    const before = await readVersion();

    await scan(high('CVE-2026-1'));

    expect(await readVersion()).toBe(before);
  });

  it('changes with a vulnerability in place of another one of the same severity', async () => {
    await scan(high('CVE-2026-1'));
    const [before, issues] = [await readVersion(), await readIssues()];

    await scan(high('CVE-2026-2'));

    expect(await readIssues()).toEqual(issues);
    expect(await readVersion()).not.toBe(before);
  });

  it('changes when a vulnerability is accepted, and when that acceptance expires', async () => {
    await scan(high('CVE-2026-1'));
    const before = await readVersion();

    await accept('CVE-2026-1', 60);

    const versions = [before, await readVersion(), await readVersion(inMinutes(61))];
    expect(new Set(versions).size).toBe(2);
    expect(versions[2]).toBe(before);
  });

  it('changes when another vulnerability is accepted until the same moment', async () => {
    const until = inMinutes(60);
    await scan(high('CVE-2026-1'), high('CVE-2026-2'));
    await accept('CVE-2026-1', 60, until);
    const [before, issues] = [await readVersion(), await readIssues()];
    await changeEvidence(
      id,
      ({ sources, findings }) => ({ after: { sources, findings, acceptances: [] }, writes: [] }),
      scanContext(),
    );

    await changeEvidence(
      id,
      ({ sources, findings, acceptances: [first, ...rest] }) => {
        const other = first && { ...first, id: 'CVE-2026-2' };
        return {
          after: { sources, findings, acceptances: other ? [other, ...rest] : [] },
          writes: [],
        };
      },
      scanContext(),
    );

    expect(await readIssues()).toEqual(issues);
    expect(await readVersion()).not.toBe(before);
  });

  it('changes with the settings that say what blocks', async () => {
    const before = await readVersion();

    const after = await readVersion(new Date(), { blockingIssues: ['scan_missing'] });

    expect(after).not.toBe(before);
  });
});

describe('other settings', () => {
  it.each<[Partial<ScanPolicy>, string]>([
    [{}, 'warning'],
    [{ failedFrom: 'medium' }, 'failed'],
    [{ warningFrom: 'high' }, 'passed'],
  ])('change what a reader says, without a write: %j', async (change, expected) => {
    await scanWith('a-scanner', 'ci', [finding('CVE-2026-1', 'medium')]);

    const { status } = await statusAt(new Date(), { ...defaultScanPolicy, ...change });

    expect(status).toBe(expected);
  });

  it('of what is unrated are not dodged by an upload that rates it', async () => {
    await scanWith('a-scanner', 'ci', [toFinding({ id: 'CVE-2026-1' })]);
    await scanWith('b-scanner', 'other', [finding('CVE-2026-1', 'low')]);

    const policy: ScanPolicy = { ...defaultScanPolicy, unrated: 'failed' };

    expect(findStandingStatus(await readReviewState(id), { now: new Date(), policy })).toBe(
      'failed',
    );
  });
});

describe('a change of the settings that say when a scan fails', () => {
  const sweep = (policy: ScanPolicy, minutes = 0) =>
    sweepAttention({ now: inMinutes(minutes), deadline: { remainingMs: () => minuteMs }, policy });
  const strict: ScanPolicy = { ...defaultScanPolicy, failedFrom: 'low' };

  it('has all approved versions looked at once, for attention', async () => {
    await scanWith('a-scanner', 'ci', [finding('CVE-2026-1', 'low')]);
    await approve();
    await sweep(defaultScanPolicy);
    const before = await isAttended(new Date());

    await sweep(strict);
    const strictly = await isAttended(new Date());
    const { readUnits, writeUnits } = await measure(() => sweep(strict));
    await sweep(defaultScanPolicy);

    expect([before, strictly, await isAttended(new Date())]).toEqual([false, true, false]);
    // Every minute, where nothing changed.
    expect({ readUnits, writeUnits }).toEqual({ readUnits: 1, writeUnits: 0 });
    await index(id);
    expect(await runCheck(false)).toMatchObject({ found: nothing });
  });

  it('has them looked at once more, for what a function with the settings of before wrote behind it', async () => {
    await sweep(strict);
    await approve();
    await scanWith('a-scanner', 'ci', [finding('CVE-2026-1', 'low')]);

    await sweep(strict, 29);
    const before = await isAttended(inMinutes(120));
    await sweep(strict, 31);
    const { readUnits, writeUnits } = await measure(() => sweep(strict, 600));

    expect([before, await isAttended(inMinutes(120))]).toEqual([false, true]);
    expect({ readUnits, writeUnits }).toEqual({ readUnits: 1, writeUnits: 0 });
  });

  it('has them looked at again where one failed, less and less often', async () => {
    await sweep(defaultScanPolicy);
    await approve();
    await scanWith('a-scanner', 'ci', [finding('CVE-2026-1', 'low')]);
    const fail = (minutes: number) =>
      withFaults(createRandom(1), () => sweep(strict, minutes), { deathBefore: 100 });

    await expect(fail(0)).rejects.toThrow('1 versions were not looked at');
    await expect(fail(31)).rejects.toThrow('1 versions were not looked at');
    await sweep(strict, 90);
    const before = await isAttended(inMinutes(120));
    await sweep(strict, 92);
    const { readUnits } = await measure(() => sweep(strict, 6000));

    expect([before, await isAttended(inMinutes(120))]).toEqual([false, true]);
    expect(readUnits).toBe(1);
  });

  it('goes on where it had no more time', async () => {
    await scanWith('a-scanner', 'ci', [finding('CVE-2026-1', 'low')]);
    await approve();

    await sweepAttention({ now: new Date(), deadline: { remainingMs: () => 0 }, policy: strict });
    const before = await isAttended(new Date());
    await sweep(strict);

    expect([before, await isAttended(new Date())]).toEqual([false, true]);
  });
});

it('stays whole where scans, dismissals and decisions meet, through faults', async () => {
  const random = createRandom(7);
  const severities: readonly Rating[] = ['critical', 'medium', 'low'];
  const act = async (): Promise<unknown> => {
    const kind = random.pick(['scan', 'scan', 'scan', 'dismiss', 'approve', 'reject']);
    const tool = random.pick(['a-scanner', 'b-scanner']);
    if (kind === 'scan') {
      return scanWith(tool, 'ci', [finding(`CVE-${random.below(3)}`, random.pick(severities))]);
    }
    if (kind === 'dismiss') {
      const dismissal = { tool, label: 'ci', reason: 'why not' };
      return dismissScans(
        id,
        { dismissal, policy: defaultScanPolicy },
        { ...scanContext(), remember: () => [] },
      );
    }
    const reason = 'back and forth';
    return kind === 'approve'
      ? approve(reason)
      : decidePackage(id, { to: 'rejected', by: 'bob', reason }, writeContext());
  };

  const shares = { conflict: 10, throttling: 5, lostAnswer: 10 };
  const actMany = () =>
    Promise.all(
      Array.from({ length: 4 }, async () => {
        // What is refused, or whose outcome nobody knows, leaves the rest to the integrity check.
        for (let at = 0; at < 20; at += 1) await act().catch(() => undefined);
      }),
    );
  await withFaults(random, actMany, shares);

  await index(id);
  expect(await runCheck(false)).toMatchObject({ done: true, found: nothing, unjudged: 0 });
});
