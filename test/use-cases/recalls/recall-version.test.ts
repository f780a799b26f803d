import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { listRecords } from '../../../shared/storage/decisions/records.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { listRecalledBy, listRecalls } from '../../../shared/storage/recalls/recall-rows.ts';
import { listAttention } from '../../../shared/storage/reviews/attention.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { EvidenceChangedError } from '../../../shared/storage/reviews/review-state-writes.ts';
import { recallVersion } from '../../../shared/use-cases/recalls/recall-version.ts';
import { releaseVersion } from '../../../shared/use-cases/recalls/release-version.ts';
import { decideAsJudged, decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { findEvidenceVersion } from '../../../shared/use-cases/review/evidence-version.ts';
import { judgeVersion } from '../../../shared/use-cases/review/judge-version.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { nothing, remove, runCheck } from '../../storage/integrity/reviewed-registry.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { id, inDays, learn, submit } from '../policy/policy-registry.ts';

const record = 'MAL-2026-2307';
const signalAt = new Date().toISOString();
const cause = { record, summary: 'Malicious code in\n left-pad (npm)', signalAt };
const withdrawn = { record, reason: `${record} was withdrawn` };

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
  await submit();
  await learn();
});
afterEach(() => engine.close());

const context = (some = {}) => {
  const { now, deadline, catalogue } = writeContext();
  return { now, deadline, catalogue, scanPolicy: defaultScanPolicy, ...some };
};
const recall = (what: Partial<typeof cause> = {}) =>
  recallVersion(id, { ...cause, ...what }, context());
const release = () => releaseVersion(id, withdrawn, context());
const decide = (to: 'approved' | 'rejected', some = {}) =>
  decidePackage(id, { to, by: 'ana', reason: 'Seen', ...some }, writeContext());
const statusOf = async (one: PackageId = id) => (await findVersion(one))?.status;
const listTypes = async () =>
  (await listRecords(id, { count: 10 })).map(({ type }) => type).toReversed();

describe('a recall', () => {
  it('rejects an approved version, with the record as the reason', async () => {
    await decide('approved');

    expect(await recall()).toBe('recalled');

    expect(await findVersion(id)).toMatchObject({
      ...{ status: 'rejected', rejected_by: 'registry', rejected_token_label: null },
      reason: `Recalled: ${record}: Malicious code in left-pad (npm)`,
      previous: { status: 'approved', by: 'ana' },
    });
    const [newest] = await listRecords(id, { count: 1 });
    expect(newest).toMatchObject({ type: 'package.recalled', by: 'registry', recall: record });
    expect(newest?.evidence).toBeDefined();
  });

  it('is in the list of recalls, and under its record', async () => {
    await decide('approved');
    await recall();

    const { recalls } = await listRecalls({ limit: 10 });

    expect(recalls).toMatchObject([{ ...id, record, ended_at: null }]);
    expect(await listRecalledBy(record)).toEqual([id]);
    expect((await runCheck(false)).found).toEqual(nothing);
  });

  it.each(['pending', 'rejected'] as const)('changes nothing for a %s version', async (status) => {
    if (status === 'rejected') await decide('rejected');
    const before = await listTypes();

    expect(await recall()).toBe('moot');

    expect(await listTypes()).toEqual(before);
  });

  it('changes nothing for an expired approval, and for an unknown version', async () => {
    await decide('approved', { expires_at: inDays(1) });
    const now = new Date(inDays(2));

    expect(await recallVersion(id, cause, context({ now }))).toBe('moot');
    expect(await recallVersion({ ...id, version: '9.9.9' }, cause, context())).toBe('moot');
  });

  it('changes nothing the second time', async () => {
    await decide('approved');
    await recall();
    const before = await listTypes();

    expect(await recall()).toBe('moot');

    expect(await listTypes()).toEqual(before);
  });

  it('comes after an approval that was decided at the same moment', async () => {
    await decide('approved');

    await Promise.all([recall(), decide('approved', { expires_at: inDays(9) }).catch(() => 0)]);
    await recall();

    expect(await statusOf()).toBe('rejected');
  });
});

describe('attention to a recall', () => {
  const list = async () => (await listAttention({ limit: 10 }, new Date())).attention;
  const inRegistry = async () => (await runCheck(false)).found;

  it('is needed from the recall on, also after new evidence', async () => {
    await decide('approved', { expires_at: inDays(30) });
    await recall();
    const { at } = (await readReviewState(id)).recall ?? {};
    await learn({ description: 'Other files', deprecated: 'malware' });

    expect(await list()).toMatchObject([
      { ...id, since: at, reasons: ['recalled'], recall: record },
    ]);
    expect(await listTypes()).not.toContain('package.attention');
    expect(await inRegistry()).toEqual(nothing);
  });

  it.each([
    ['a person makes the recall permanent', () => decide('rejected')],
    ['a person accepts the record', () => decide('approved', { acceptRecall: record })],
    ['the recall ends', release],
  ])('is not needed any more after %s', async (_, end) => {
    await decide('approved');
    await recall();

    await end();

    expect(await list()).toEqual([]);
    expect((await readReviewState(id)).attention).toBeNull();
    expect(await inRegistry()).toEqual(nothing);
  });

  it('names the record that keeps the recall in force', async () => {
    await decide('approved');
    await recall();
    await recall({ record: 'MAL-2026-9' });

    await release();

    expect(await list()).toMatchObject([{ recall: 'MAL-2026-9' }]);
    expect(await inRegistry()).toEqual(nothing);
  });

  it('is repaired by the integrity check if its row is lost', async () => {
    await decide('approved');
    await recall();
    const { attention } = await readReviewState(id);
    await remove('reviews', { v: '#attention', k: attention ?? '' });

    const { found } = await runCheck(true);

    expect(found).toMatchObject({ wrong_review_state: 1 });
    expect(await list()).toMatchObject([{ ...id, reasons: ['recalled'] }]);
  });
});

describe('the release of a recall', () => {
  it('approves the version again, with the same expiry and the same files', async () => {
    await decide('approved', { expires_at: inDays(30) });
    const approved = await findVersion(id);
    await recall();
    await learn({ description: 'Other files' });

    expect(await release()).toBe('released');

    const { expires_at, approved_by, approved_at, reason, pinned } = approved ?? {};
    expect(await findVersion(id)).toMatchObject({
      ...{ status: 'approved', expires_at, approved_by, approved_at, reason, pinned },
      rejected_by: null,
    });
    expect([pinned, expires_at].every(Boolean)).toBe(true);
    expect((await runCheck(false)).found).toEqual(nothing);
    expect((await readReviewState(id)).recall).toBe(null);
    expect(await listRecalledBy(record)).toEqual([]);
    expect((await listTypes()).slice(-2)).toEqual(['package.recalled', 'package.released']);
  });

  it('changes nothing for another record, and the second time', async () => {
    await decide('approved');
    await recall({ record: 'MAL-2026-1' });

    expect(await release()).toBe('moot');
    expect(await statusOf()).toBe('rejected');

    await releaseVersion(id, { ...withdrawn, record: 'MAL-2026-1' }, context());
    expect(await release()).toBe('moot');
    expect(await statusOf()).toBe('approved');
  });

  it('changes nothing after a decision by a person', async () => {
    await decide('approved');
    await recall();
    await decide('approved', { acceptRecall: record });
    await decide('rejected', { reason: 'Not needed any more' });

    expect(await release()).toBe('moot');
    expect(await statusOf()).toBe('rejected');
  });
});

describe('a second record of a recalled version', () => {
  const second = 'MAL-2026-9';
  const releaseSecond = () =>
    releaseVersion(id, { record: second, reason: `${second} was withdrawn` }, context());

  beforeEach(async () => {
    await decide('approved');
    await recall();
  });

  it('keeps the recall in force when the first one is withdrawn, for example as a duplicate', async () => {
    expect(await recall({ record: second })).toBe('noted');

    expect(await release()).toBe('kept');

    expect(await statusOf()).toBe('rejected');
    expect((await listRecalls({ limit: 10 })).recalls).toMatchObject([
      { record: second, ended_at: null },
    ]);
    expect(await releaseSecond()).toBe('released');
    expect(await statusOf()).toBe('approved');
    expect((await runCheck(false)).found).toEqual(nothing);
  });

  it('ends alone if it is withdrawn first', async () => {
    await recall({ record: second });

    expect(await releaseSecond()).toBe('kept');
    expect(await statusOf()).toBe('rejected');
    expect(await release()).toBe('released');
  });

  it('is not noted if a person accepted it before', async () => {
    await recall({ record: second });
    await decide('approved', { acceptRecall: record });
    await recall({ record: 'MAL-2026-3' });

    expect(await recall({ record: second })).toBe('accepted');
    expect((await readReviewState(id)).recall?.others ?? []).toEqual([]);
  });

  it('is noted once, and accepted together with the first one', async () => {
    await recall({ record: second });
    expect(await recall({ record: second })).toBe('moot');

    await expect(decide('approved')).rejects.toMatchObject({
      message: expect.stringContaining(`recalled: ${record}, ${second}`),
    });
    await decide('approved', { acceptRecall: record });

    expect(await recall({ record: second })).toBe('accepted');
  });
});

describe('a record of malware after a removal upstream', () => {
  const removed = { record: 'removed', summary: 'Upstream does not have it' };

  beforeEach(async () => {
    await decide('approved');
    await recall(removed);
  });

  it('is not accepted with the removal, and is named instead of it', async () => {
    expect(await recall()).toBe('noted');

    await expect(decide('approved', { acceptRecall: 'removed' })).rejects.toMatchObject({
      message: expect.stringContaining(`send accept_recall with ${record}`),
    });
    expect((await listRecalls({ limit: 10 })).recalls).toMatchObject([
      { record, reason: expect.stringContaining(`Recalled: ${record}`) },
    ]);
    const { attention } = await listAttention({ limit: 10 }, new Date());
    expect(attention).toMatchObject([{ recall: record }]);
    expect((await runCheck(false)).found).toEqual(nothing);
  });

  it('leaves the removal in force when it ends', async () => {
    await recall();

    expect(await release()).toBe('kept');

    expect((await listRecalls({ limit: 10 })).recalls).toMatchObject([
      { record: 'removed', reason: expect.stringContaining('Recalled: removed upstream') },
    ]);
    expect((await runCheck(false)).found).toEqual(nothing);
    await decide('approved', { acceptRecall: 'removed' });
  });

  it('changes the version of the evidence, so that no decision by the earlier one is possible', async () => {
    const judgement = await judgeVersion(id, {}, new Date());
    const expectedEvidenceVersion = findEvidenceVersion(judgement, new Date());
    await recall();

    await expect(
      decide('approved', { acceptRecall: record, expectedEvidenceVersion }),
    ).rejects.toMatchObject({ code: 'evidence_changed' });
  });
});

it('is not lost if a person accepts the first record at the moment when a second one is noted', async () => {
  await decide('approved');
  await recall({ record: 'removed' });
  const current = await findVersion(id);
  if (!current) throw new Error('The version is missing');
  const judgement = await judgeVersion(current, {}, new Date());
  await recall();
  const request = { to: 'approved', by: 'ana', acceptRecall: 'removed' } as const;
  const explain = () => new Error('The version changed');

  await expect(
    decideAsJudged(current, { judgement, request, explain }, writeContext()),
  ).rejects.toBeInstanceOf(EvidenceChangedError);
  expect(await statusOf()).toBe('rejected');
});

it('becomes a rejection by a person, which no withdrawal of the record ends', async () => {
  await decide('approved');
  await recall();

  await decide('rejected', { reason: 'Not needed' });

  expect(await release()).toBe('moot');
  expect(await findVersion(id)).toMatchObject({ status: 'rejected', rejected_by: 'ana' });
  expect(await listRecalledBy(record)).toEqual([]);
  expect((await runCheck(false)).found).toEqual(nothing);
  await expect(decide('rejected')).rejects.toMatchObject({ code: 'decision_in_force' });
});

describe('the approval of a recalled version', () => {
  it.each([
    ['without the record', {}],
    ['with an override alone', { override: true }],
    ['with another record', { acceptRecall: 'MAL-2026-1' }],
  ])('is refused %s', async (_, some) => {
    await decide('approved');
    await recall();

    await expect(decide('approved', some)).rejects.toMatchObject({
      code: 'version_recalled',
      message: expect.stringContaining(`recalled: ${record}`),
    });
    expect(await statusOf()).toBe('rejected');
  });

  it('is possible with the record, which then never recalls it again', async () => {
    await decide('approved');
    await recall();

    await decide('approved', { acceptRecall: record });

    expect(await recall()).toBe('accepted');
    expect(await statusOf()).toBe('approved');
    expect(await listRecalledBy(record)).toEqual([]);
    expect(await recall({ record: 'MAL-2026-1' })).toBe('recalled');
  });
});
