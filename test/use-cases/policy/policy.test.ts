import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Facts, noFacts } from '../../../shared/domain/facts/facts.ts';
import { findPreset } from '../../../shared/domain/policy/presets.ts';
import type { PolicyRule } from '../../../shared/domain/policy/rule.ts';
import { toFinding } from '../../../shared/domain/vulnerabilities/finding.ts';
import { toErrorScan } from '../../../shared/domain/vulnerabilities/scan-result.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { readReviewState, toReviewStateKey } from '../../../shared/storage/reviews/review-state.ts';
import { runDueWork } from '../../../shared/use-cases/due-work/run-due-work.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { judgeVersion } from '../../../shared/use-cases/review/judge-version.ts';
import { saveOwnScan } from '../../../shared/use-cases/scanning/keep-scan.ts';
import { scanSubmissions } from '../../../shared/use-cases/scanning/scan-submissions.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { nothing, remove, runCheck } from '../../storage/integrity/reviewed-registry.ts';
import { listAllDue } from '../../support/all-due.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { withFaults } from '../../support/faults.ts';
import { meanwhile } from '../../support/meanwhile.ts';
import { createRandom } from '../../support/random.ts';
import {
  accept,
  enoughTime,
  index,
  inMinutes,
  npm,
  readRecords,
  scan,
  work,
} from '../vulnerability-index/accepted-registry.ts';
import {
  apply,
  declares,
  id,
  inDays,
  learn,
  rejectLicense,
  rule,
  scanItself,
  submit,
} from './policy-registry.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const readDecisions = async () =>
  (await readRecords('package.approved', 'package.rejected')).map(({ by, rule: name, to }) => [
    by,
    name,
    to,
  ]);

const byRule = [['policy:clean', 'clean', 'approved']];

const approve = (by = 'ann') =>
  decidePackage(id, { to: 'approved', by, reason: 'looked at' }, writeContext());
const reject = () => decidePackage(id, { to: 'rejected', by: 'ann', reason: 'no' }, writeContext());

const listPolicyDue = async () =>
  (await listAllDue(inDays(10_000)))
    .filter(({ kind }) => kind === 'policy')
    .map(({ due_at }) => due_at);

describe('balanced@1', () => {
  const { rules } = findPreset('balanced@1') ?? { rules: [] };

  it('rejects a pending version that OSV.dev lists as malware, and keeps the reason', async () => {
    await submit();
    await learn(declares('MIT'));
    await scanItself('critical', id, 'MAL-2026-2307');

    expect(await apply(rules)).toBe('decided');

    expect(await findVersion(id)).toMatchObject({
      ...{ status: 'rejected', rejected_by: 'policy:malware' },
      reason: 'OSV.dev lists it as a malicious package',
    });
    expect(await readReviewState(id)).toMatchObject({ rule: 'malware' });
  });

  it('holds a version with another critical vulnerability', async () => {
    await submit();
    await learn(declares('MIT'));
    await scanItself('critical');

    await apply(rules);

    expect(await readReviewState(id)).toMatchObject({ status: 'pending', held_by: 'scan-failed' });
  });
});

it('evaluates a version again when a risk is accepted, and when the acceptance ends', async () => {
  const rules = [rule('failing', { when: { scan: ['failed'] }, then: 'hold' })];
  const evaluate = async () => {
    await apply(rules);
    return (await readReviewState(id)).held_by;
  };
  await submit();
  await learn();
  await scanItself('critical');
  await index(id);

  const before = await evaluate();
  await accept('CVE-2026-1', { ecosystem: 'npm', name: id.name, version: id.version });
  const accepted = await evaluate();
  await work(inMinutes(61));

  expect([before, accepted, await evaluate()]).toEqual(['failing', null, 'failing']);
});

describe('a rule', () => {
  beforeEach(() => submit());

  it.each([
    ['facts before the scan', [() => learn(), () => scanItself()]],
    ['the scan before facts', [() => scanItself(), () => learn()]],
  ])('decides once, when all is known: %s', async (_, [first, second]) => {
    const outcomes = [await apply()];
    await first?.();
    outcomes.push(await apply(), await apply());
    await second?.();
    outcomes.push(await apply(), await apply());

    expect(outcomes).toEqual(['waiting', 'waiting', 'waiting', 'decided', 'moot']);
    expect(await readDecisions()).toEqual(byRule);
    expect(await findVersion(id)).toMatchObject({
      status: 'approved',
      approved_by: 'policy:clean',
      expires_at: null,
    });
  });

  it('decides once, however many try at once, while more becomes known', async () => {
    await Promise.all([learn(), scanItself(), apply(), apply()]);
    await Promise.all([apply(), apply(), scan(id, [], 'a-scanner'), apply(), apply()]);

    expect(await readDecisions()).toEqual(byRule);
    expect((await runCheck(false)).found).toEqual(nothing);
  });

  it.each(Array.from({ length: 6 }, (_, seed) => seed))(
    'decides once, whatever goes wrong on the way (%i)',
    async (seed) => {
      await learn();
      await scanItself();
      const random = createRandom(seed);

      await withFaults(random, () => Promise.allSettled([apply(), apply(), apply()]), {
        conflict: 15,
        throttling: 5,
        lostAnswer: 10,
        lateWrite: 5,
        deathBefore: 15,
        deathAfter: 15,
      });
      await apply();

      expect(await readDecisions()).toEqual(byRule);
    },
  );

  it('says in its record what it was, and what it stood on', async () => {
    await learn();
    await scanItself('low');
    await apply([rule('low', { when: { worst: 'low' }, reason: 'Harmless', expires_in_days: 90 })]);

    const [record] = await readRecords('package.approved');
    expect(record).toMatchObject({
      ...{ by: 'policy:low', rule: 'low', reason: 'Harmless', token_label: null, overridden: [] },
      evidence: {
        merged_scan: { status: 'warning' },
        facts: { found: 'yes' },
        license: { effective: null },
      },
      waited_seconds: expect.any(Number),
    });
    const days = (Date.parse(record?.expires_at ?? '') - Date.now()) / 24 / 3600 / 1000;
    expect(Math.round(days)).toBe(90);
  });

  it('holds as long as approvals do, where it does not say', async () => {
    await learn();
    await scanItself();
    await apply([rule('clean')], { rules: { approvalDays: 30 } });

    const { expires_at } = (await findVersion(id)) ?? {};
    expect(Math.round((Date.parse(expires_at ?? '') - Date.now()) / 86_400_000)).toBe(30);
  });

  it('rejects', async () => {
    await learn({ found: 'no' });
    await scanItself();
    await apply([rule('unknown', { when: { found: ['no'] }, then: 'reject', reason: 'No such' })]);

    expect(await findVersion(id)).toMatchObject({
      ...{ status: 'rejected', rejected_by: 'policy:unknown', reason: 'No such' },
    });
  });

  it('judges again what became worse between judging and deciding', async () => {
    await learn();
    await scanItself();

    const outcome = await meanwhile(
      () => scan(id, [{ id: 'CVE-2026-2' }], 'a-scanner'),
      () => apply(),
    );

    expect(outcome).toBe('left');
    expect(await findVersion(id)).toMatchObject({ status: 'pending', revision: 0 });
    expect(await readReviewState(id)).toMatchObject({
      evaluated_revision: 3,
      evidence_revision: 3,
      held_by: null,
    });
  });

  it('leaves alone what a person decides at the same moment', async () => {
    await learn();
    await scanItself();

    const outcome = await meanwhile(
      () => reject(),
      () => apply(),
    );

    expect(outcome).toBe('moot');
    expect(await readDecisions()).toEqual([['ann', undefined, 'rejected']]);
  });

  it('makes a person decide anew who is a moment late', async () => {
    await learn();
    await scanItself();

    await expect(meanwhile(() => apply(), approve)).rejects.toMatchObject({
      code: 'decision_conflict',
    });
    expect(await readDecisions()).toEqual(byRule);
  });

  it('never decides where a person did, nor where an approval ran out', async () => {
    await learn();
    await scanItself();
    const expires_in_days = 1;
    await apply([rule('clean', { expires_in_days })]);

    await work(inDays(2));
    expect(await findVersion(id)).toMatchObject({ status: 'pending', revision: 2 });
    expect(await apply()).toBe('moot');
    await scan(id, [], 'a-scanner');
    expect(await apply()).toBe('moot');
    await approve();
    await reject();

    expect(await apply()).toBe('moot');
    expect(await findVersion(id)).toMatchObject({ status: 'rejected' });
    expect((await readDecisions()).length).toBe(3);
  });

  it('holds what it leaves to a person, until somebody decides', async () => {
    await learn();
    await scanItself();

    expect(await apply([rule('look', { then: 'hold' }), rule('clean')])).toBe('left');
    expect(await readReviewState(id)).toMatchObject({ held_by: 'look', evaluated_revision: 2 });
    expect(await apply()).toBe('moot');
    await approve();

    expect(await readReviewState(id)).toMatchObject({ held_by: null, status: 'approved' });
  });

  it('looks again at what it held, when more is known', async () => {
    await learn();
    await scanItself('low');
    const rules = [rule('clean'), rule('look', { when: {}, then: 'hold' })];
    expect(await apply(rules)).toBe('left');
    expect((await readReviewState(id)).held_by).toBe('look');

    await scanItself();

    expect(await apply(rules)).toBe('decided');
    expect(await readDecisions()).toEqual(byRule);
  });

  it('leaves to a person what has a blocking issue', async () => {
    await learn();
    await scanItself('critical');

    expect(await apply([rule('any', { when: {} })])).toBe('left');
    expect(await readReviewState(id)).toMatchObject({ held_by: 'any' });
    expect(await readDecisions()).toEqual([]);
  });
});

describe('a version', () => {
  it('is decided without facts, where nobody collects any', async () => {
    await submit();
    await scanItself();
    const inquiries = { isScanning: true, isCollectingFacts: false };

    expect(await apply([rule('scanned', { when: { scan: ['passed'] } })], { inquiries })).toBe(
      'decided',
    );
  });

  it.each<[string, 'npm' | 'docker', boolean]>([
    ['of an image', 'docker', true],
    ['where nobody scans', 'npm', false],
  ])('is decided without a scan: %s', async (_, ecosystem, isScanning) => {
    const one = { ecosystem, name: 'nginx', version: '1.29.0' };
    await submit(one);
    await learn({}, one);
    const inquiries = { isScanning, isCollectingFacts: true };
    const rules = [rule('unscanned', { when: { scan: ['missing'] }, then: 'hold' })];

    expect(await apply(rules, { inquiries }, one)).toBe('left');
    expect((await readReviewState(one)).held_by).toBe('unscanned');
  });

  it('is known by the label of who submitted it, and by its license', async () => {
    await submit(id, 'MIT', 'ci');
    await learn();
    await scanItself();
    const when = { submitters: ['ci'], license: ['unreviewed'] as const };

    expect(await apply([rule('ci', { when })])).toBe('decided');
  });

  it.each<[string | null, string, Partial<Facts>, string]>([
    ['MIT', 'the same', declares('MIT'), 'approved'],
    [null, 'a license', declares('MIT'), 'approved'],
    ['MIT', 'another one of the status', declares('ISC'), 'approved'],
    ['MIT', 'a rejected one', declares('GPL-3.0-only'), 'rejected'],
    [null, 'a rejected one', declares('GPL-3.0-only'), 'rejected'],
    ['GPL-3.0-only', 'a better one', declares('MIT'), 'rejected'],
    ['MIT', 'none', {}, 'approved'],
    ['MIT', 'what its origin does not have', { ...noFacts, found: 'no' }, 'pending'],
    ['MIT', 'an unreadable one', { license_declaration: 'unreadable' }, 'pending'],
    ['GPL-3.0-only', 'an unreadable one', { license_declaration: 'unreadable' }, 'pending'],
    ['MIT', 'what its origin does not show', { license_declaration: 'unknown' }, 'pending'],
    ['MIT', 'what nobody could ask for', { ...noFacts, found: 'unknown' }, 'pending'],
    ['GPL-3.0-only', 'what nobody could ask for', { ...noFacts, found: 'unknown' }, 'rejected'],
    [null, 'none', {}, 'pending'],
  ])('submitted under %s whose package declares %s', async (license, _, facts, status) => {
    await rejectLicense('GPL-3.0-only');
    await submit(id, license);
    await learn(facts);
    await scanItself();

    await apply([
      rule('good', { when: { license: ['unreviewed'] } }),
      rule('bad', { when: { license: ['rejected'] }, then: 'reject' }),
    ]);

    expect(await findVersion(id)).toMatchObject({ status });
  });

  it.each([true, false])(
    'is approved by no rule for a license that was only submitted: facts are collected: %s',
    async (isCollectingFacts) => {
      await submit(id, 'MIT');
      await scanItself();
      const inquiries = { isScanning: true, isCollectingFacts };

      const outcome = await apply([rule('by-license', { when: { license: ['unreviewed'] } })], {
        inquiries,
      });

      expect(outcome).toBe(isCollectingFacts ? 'waiting' : 'left');
    },
  );

  it('has an approved major once another version of it has', async () => {
    const rules = [rule('minor', { when: { approved_major: true } })];
    const versions = ['1.0.0', '1.1.0', '2.0.0'].map((version) => npm('left-pad', version));
    for (const one of [...versions, npm('Left-Pad', '2.1.0')]) {
      await submit(one);
      await learn({}, one);
      await scanItself(undefined, one);
    }
    for (const one of [npm('left-pad', '1.0.0'), npm('Left-Pad', '2.1.0')]) {
      await decidePackage(one, { to: 'approved', by: 'ann', expires_in_days: 1 }, writeContext());
    }

    expect(await apply(rules, { now: inDays(2) }, versions[1])).toBe('left');
    await scan(npm('left-pad', '1.1.0'), [], 'a-scanner');
    expect(await apply(rules, {}, versions[1])).toBe('decided');
    expect(await apply(rules, {}, versions[2])).toBe('left');
  });

  it('that is not there, or has no head, concerns no rule', async () => {
    expect(await apply()).toBe('moot');
  });
});

describe('an approval with evidence of two hours ago', () => {
  const before = new Date(Date.now() - 2 * 60 * 60_000);
  const published_at = inDays(-100).toISOString();
  const isAt = (now: Date) => ({ now, deadline: enoughTime, policy: defaultScanPolicy });
  let sent: string[];
  const renewal = {
    inquiries: { isScanning: true, isCollectingFacts: true },
    send: async (check: string, body: string) => sent.push(`${check} ${body}`),
  };
  /** Runs the worker of scans for this version. */
  const rescan = (findings: ReturnType<typeof toFinding>[]) =>
    scanSubmissions(
      { Records: [{ messageId: '1', body: JSON.stringify(id) }] },
      {
        osv: { scanVersions: async (ids) => ids.map((one) => ({ id: one, findings })) },
        policy: defaultScanPolicy,
        deadline: enoughTime,
      },
    );

  beforeEach(async () => {
    sent = [];
    await submit();
    await learn({ published_at }, id, before);
    await scanItself(undefined, id, undefined, before);
  });

  it('waits until the metadata and the scan are renewed', async () => {
    expect(await apply()).toBe('left');

    await runDueWork({ ...isAt(new Date()), renewal });

    expect(sent).toEqual([`facts ${JSON.stringify(id)}`, `scan ${JSON.stringify(id)}`]);
    await learn({ published_at });
    await rescan([]);
    expect(await apply()).toBe('moot');
    await runDueWork({ ...isAt(inMinutes(11)), renewal });
    expect(sent).toHaveLength(2);
    expect(await apply()).toBe('decided');
    expect(await readDecisions()).toEqual(byRule);
  });

  it('sends the version again while a check has no new result', async () => {
    await apply();

    for (const minutes of [1, 12, 23]) await runDueWork({ ...isAt(inMinutes(minutes)), renewal });

    expect(sent).toHaveLength(6);
    expect(await apply([rule('clean')], { now: inMinutes(23) })).toBe('moot');
    expect(await readDecisions()).toEqual([]);
    expect((await runCheck(false)).found).toEqual(nothing);
  });

  it('does not happen by the earlier scan if its renewal fails', async () => {
    await apply();
    await learn({ published_at });
    const failed = toErrorScan(
      id,
      { tool: 'osv.dev', reason: 'OSV.dev is unavailable' },
      new Date(),
    );
    await saveOwnScan(id, failed, isAt(new Date()));

    expect(await apply()).toBe('left');
    await runDueWork({ ...isAt(inMinutes(11)), renewal });

    expect(sent).toEqual([`scan ${JSON.stringify(id)}`]);
    expect(await readDecisions()).toEqual([]);
  });

  it('does not happen if the version has become known as malware', async () => {
    await apply();
    await runDueWork({ ...isAt(new Date()), renewal });
    await learn({ published_at });

    await rescan([toFinding({ id: 'MAL-2026-1', severity: 'critical' })]);

    expect(await apply()).toBe('left');
    await runDueWork({ ...isAt(inMinutes(11)), renewal });
    expect(await apply()).not.toBe('decided');
    expect(await readDecisions()).toEqual([]);
  });
});

describe('a version that lacks nothing but age', () => {
  const old = (name: string, days: number): PolicyRule =>
    rule(name, { when: { minimum_age_days: days } });
  const published = inDays(-5).toISOString();
  /** Checks that are switched off have no outdated results. */
  const noInquiries = { isScanning: false, isCollectingFacts: false };
  const ofAge = new Date(Date.parse(published) + 7 * 86_400_000);

  beforeEach(async () => {
    await submit();
    await learn({ published_at: published });
    await scanItself();
  });

  it('is looked at again when it is old enough, and decided once', async () => {
    const rules = [old('clean', 7)];
    expect(await apply(rules)).toBe('left');
    expect(await listPolicyDue()).toEqual([ofAge.toISOString()]);
    expect((await runCheck(false)).found).toEqual(nothing);

    await work(new Date(ofAge.getTime() - 1));
    expect(await apply(rules, { now: ofAge })).toBe('moot');
    await Promise.all([work(ofAge), work(ofAge)]);

    expect(await readReviewState(id)).toMatchObject({
      evaluated_revision: null,
      next_evaluation: null,
    });
    expect(await listPolicyDue()).toEqual([]);
    expect(await apply(rules, { now: ofAge, inquiries: noInquiries })).toBe('decided');
    expect(await readDecisions()).toEqual(byRule);
  });

  it('is approved by a rule when it is old enough for the settings, too', async () => {
    const rules = [old('clean', 3)];
    const some = { rules: { minimumAgeDays: 7, blockingIssues: ['too_young'] as const } };
    expect(await apply(rules, some)).toBe('left');
    const held = await readReviewState(id);
    await work(ofAge);

    expect(held).toMatchObject({ held_by: 'clean', next_evaluation: { rule: 'clean' } });
    expect(held.next_evaluation?.at).toBe(ofAge.toISOString());
    expect(await apply(rules, { ...some, now: ofAge, inquiries: noInquiries })).toBe('decided');
    expect(await readDecisions()).toEqual(byRule);
  });

  it('is due at another time, or not at all, when something else is known of it', async () => {
    await apply([old('clean', 7)]);
    await scan(id, [], 'a-scanner');
    await apply([old('clean', 9)]);
    expect(await listPolicyDue()).toEqual([addDays(2)]);

    await scan(id, [{ id: 'CVE-2026-3' }], 'b-scanner');
    await apply([rule('clean', { when: { minimum_age_days: 9, scan: ['passed'] } })]);

    expect(await listPolicyDue()).toEqual([]);
    expect(await readReviewState(id)).toMatchObject({ next_evaluation: null });
  });

  it('stays due though its row gets lost, which the integrity check finds and repairs', async () => {
    await apply([old('clean', 7)]);
    const [row] = await listAllDue(inDays(10_000));
    await remove('reviews', { v: row?.v ?? '', k: row?.k ?? '' });

    expect((await runCheck(true)).found).toEqual({ ...nothing, wrong_review_state: 1 });

    expect(await listPolicyDue()).toEqual([ofAge.toISOString()]);
    expect((await runCheck(false)).found).toEqual(nothing);
  });

  it('leaves a row for nothing that no integrity check reports, where its head has gone', async () => {
    await apply([old('clean', 7)]);
    await remove('reviews', toReviewStateKey(id));
    await runCheck(true);

    expect(await readReviewState(id)).toMatchObject({
      next_evaluation: null,
      evaluated_revision: null,
    });
    expect((await runCheck(false)).found).toEqual(nothing);
    await work(ofAge);
    expect(await listPolicyDue()).toEqual([]);
  });

  it('is decided by a person meanwhile, and then by no rule', async () => {
    await apply([old('clean', 7)]);
    await reject();
    await work(ofAge);

    expect(await listPolicyDue()).toEqual([]);
    expect(await readReviewState(id)).toMatchObject({ next_evaluation: null });
    expect(await apply([old('clean', 7)], { now: ofAge })).toBe('moot');
  });

  const addDays = (days: number): string =>
    new Date(ofAge.getTime() + days * 86_400_000).toISOString();
});

it('looks up the submitted and the declared license of a version in one call', async () => {
  await submit(id, 'MIT');
  await learn(declares('ISC'));

  const { calls, result } = await measure(() => judgeVersion(id, {}, new Date()));

  // The head, then both licenses.
  expect(calls).toBe(2);
  expect(result.evidence.license).toMatchObject({
    ...{ submitted: { text: 'MIT' }, upstream: { text: 'ISC' } },
  });
});

it('costs nothing more than reading it to look at what was judged', async () => {
  await submit();
  await learn();
  await scanItself();
  await apply([rule('look', { then: 'hold' })]);

  const { calls, writeUnits } = await measure(() => apply());

  expect([calls, writeUnits]).toEqual([2, 0]);
});
