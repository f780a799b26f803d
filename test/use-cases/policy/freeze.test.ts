import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FreezeStatus } from '../../../shared/api/schemas/freeze.ts';
import { byEcosystem, fileEcosystems } from '../../../shared/ecosystems/ecosystem.ts';
import { deleteAlone } from '../../../shared/storage/dynamodb/write-alone.ts';
import { deleteFreeze, readFreeze } from '../../../shared/storage/reviews/freeze.ts';
import { readPolicyRun } from '../../../shared/storage/reviews/policy-run.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { checkPackages } from '../../../shared/use-cases/package-check/check-packages.ts';
import { continuePolicyRun } from '../../../shared/use-cases/policy/continue-policy-run.ts';
import { freezeRegistry, liftFreeze } from '../../../shared/use-cases/policy/freeze-registry.ts';
import { previewPolicy } from '../../../shared/use-cases/policy/preview-policy.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { showEvidence } from '../../../shared/use-cases/review/show-evidence.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { runCheck } from '../../storage/integrity/reviewed-registry.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { apply, context, id, inDays, learn, rule, scanItself, submit } from './policy-registry.ts';

const before = '2026-01-01T00:00:00.000Z';
const request = { before, reason: 'Malware in npm' };

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const writing = (now = new Date()) => {
  const { remember: _, ...rest } = writeContext();
  return { ...rest, now, remember: (_result: FreezeStatus) => [] };
};
const deadline = { remainingMs: () => 300_000 };
const readStatus = async () => (await readReviewState(id)).status;

const submitKnown = async () => {
  await submit();
  await learn();
  await scanItself();
};

describe('rules during a freeze', () => {
  it('approve nothing, and evaluate the version again when the freeze is lifted', async () => {
    await submitKnown();
    await freezeRegistry(request, writing());

    const during = await apply();
    const repeated = await apply();
    const frozen = await readStatus();
    await liftFreeze(writing());
    await continuePolicyRun(context([rule('clean')], { deadline }));

    expect([during, repeated, frozen]).toEqual(['left', 'moot', 'pending']);
    expect(await readStatus()).toBe('approved');
    expect((await readPolicyRun()).run).toMatchObject({ approved: 1, failed: 0 });
  });

  it('count such a version as undecided in a run', async () => {
    await submitKnown();
    await freezeRegistry(request, writing());

    await continuePolicyRun(context([rule('clean')], { deadline }));

    expect((await readPolicyRun()).run).toMatchObject({ approved: 0, undecided: 1, failed: 0 });
    expect(await readStatus()).toBe('pending');
  });

  it('still reject', async () => {
    await submitKnown();
    await freezeRegistry(request, writing());

    expect(await apply([rule('no', { then: 'reject', reason: 'not wanted' })])).toBe('decided');
    expect(await readStatus()).toBe('rejected');
  });

  it('do not hinder an approval by a person', async () => {
    await submitKnown();
    await freezeRegistry(request, writing());

    await decidePackage(id, { to: 'approved', by: 'ana', reason: 'a fix' }, writeContext());

    expect(await readStatus()).toBe('approved');
  });
});

describe('a version that a rule would approve, but for a freeze', () => {
  const rules = [rule('young', { when: { minimum_age_days: 900 } }), rule('clean')];
  const inquiries = { isScanning: true, isCollectingFacts: true };
  const readFileRules = () => ({
    origin: 'https://origin.example.com',
    isSpread: false,
    places: [],
  });
  const read = async () => {
    const now = new Date();
    const packages = [{ ...id }];
    const origins = byEcosystem(fileEcosystems, () => ({ index_hosts: [], file_hosts: [] }));
    const check = await checkPackages(
      { packages, allow: [] },
      { rules: {}, origins, own: [], inquiries },
      now,
    );
    const evidence = await showEvidence(id, { rules: {}, inquiries, readFileRules }, now);
    const [checked] = check.packages;
    const { waits_for, frozen_rule, held_by } = evidence;
    return {
      checked: [checked?.waits_for, checked?.rule, checked?.reasons[0]?.message],
      shown: [waits_for, frozen_rule, held_by],
      ...(await runCheck(false)).found,
    };
  };

  it('waits for the end of the freeze, and for the rules after that', async () => {
    await submitKnown();
    const { freeze } = await freezeRegistry(
      { ...request, before: inDays(-1).toISOString() },
      writing(),
    );
    await apply(rules);
    const since = freeze?.since.replace(/\.\d+/, '');

    const during = await read();
    await liftFreeze(writing());
    const after = await read();

    const message = `Pending: it waits until the freeze of ${since} is lifted (rule clean).`;
    expect(during).toMatchObject({
      ...{ checked: [['freeze'], 'clean', message], shown: [['freeze'], 'clean', null] },
      wrong_review_state: 0,
    });
    expect(after).toMatchObject({
      ...{ checked: [['rules'], null, 'Pending: it waits for review.'], shown: [[], null, null] },
    });
  });

  it('waits for a review if the rule does not match any more after the freeze', async () => {
    await submitKnown();
    await freezeRegistry(request, writing());
    await apply(rules);
    await liftFreeze(writing());

    await continuePolicyRun(context([rule('other', { when: { names: ['b'] } })], { deadline }));

    expect((await readReviewState(id)).frozen_rule).toBeNull();
    expect((await read()).checked[0]).toEqual(['review']);
  });

  it('waits for nothing after a decision by a person', async () => {
    await submitKnown();
    await freezeRegistry(request, writing());
    await apply(rules);

    await decidePackage(id, { to: 'approved', by: 'ana', reason: 'a fix' }, writeContext());

    expect((await readReviewState(id)).frozen_rule).toBeNull();
    expect((await read()).shown).toEqual([[], null, null]);
  });

  it('is previewed with the freeze', async () => {
    await submitKnown();
    const { freeze } = await freezeRegistry(request, writing());
    const query = { status: 'pending', after: 0, limit: 9 } as const;

    const during = await previewPolicy(query, context(rules));
    await liftFreeze(writing());
    const after = await previewPolicy(query, context(rules));

    expect(during).toMatchObject({ freeze, results: [{ decision: 'approve', rule: 'clean' }] });
    expect(after.freeze).toBeNull();
  });
});

it('refuses a time in the future, and accepts the present', async () => {
  const now = new Date('2026-09-16T03:12:00.000Z');
  const freezeAt = (time: string) => freezeRegistry({ ...request, before: time }, writing(now));

  await expect(freezeAt('2026-09-16T03:12:00.001Z')).rejects.toMatchObject({
    code: 'validation_failed',
    message:
      'before: must not be in the future: it is 2026-09-16T03:12:00.000Z now, and a freeze takes effect at once',
  });
  expect(await freezeAt(now.toISOString())).toMatchObject({ freeze: { since: now.toISOString() } });
});

it('refuses to lift a freeze that does not exist', async () => {
  await expect(liftFreeze(writing())).rejects.toMatchObject({ code: 'not_frozen' });
});

it('does not lift a freeze that another request has replaced', async () => {
  const { freeze } = await freezeRegistry(request, writing(new Date('2026-09-16T00:00:00.000Z')));
  await freezeRegistry({ ...request, reason: 'another' }, writing());

  if (!freeze) throw new Error('The registry is not frozen');
  const lift = deleteAlone(deleteFreeze(freeze, () => new Error('it was replaced')));

  await expect(lift).rejects.toThrow('it was replaced');
  expect(await readFreeze()).toMatchObject({ reason: 'another' });
});
