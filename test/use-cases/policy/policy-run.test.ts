import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PolicyRule } from '../../../shared/domain/policy/rule.ts';
import { putAlone } from '../../../shared/storage/dynamodb/write-alone.ts';
import { readPolicyRun, requestPolicyRun } from '../../../shared/storage/reviews/policy-run.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import {
  continuePolicyRun,
  startDuePolicyRun,
} from '../../../shared/use-cases/policy/continue-policy-run.ts';
import { showPolicy } from '../../../shared/use-cases/policy/policy-status.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { npm } from '../vulnerability-index/accepted-registry.ts';
import {
  apply,
  context,
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

const holding = [rule('careful', { when: {}, then: 'hold' })];
const approving = [rule('clean')];

const deadline = { remainingMs: () => 300_000 };

const step = (rules: readonly PolicyRule[]) => continuePolicyRun(context(rules, { deadline }));

/** Does the steps that the stream would start, until the run is done. Returns the run. */
const runAll = async (rules: readonly PolicyRule[]) => {
  for (;;) {
    await step(rules);
    const { run } = await showPolicy({ rules });
    if (run?.state === 'done') return run;
  }
};

const submitKnown = async (name: string, some: Parameters<typeof learn>[0] = {}) => {
  await submit(npm(name), 'MIT');
  await learn(some, npm(name));
  await scanItself(undefined, npm(name));
};

const readStatuses = (names: readonly string[]) =>
  Promise.all(names.map(async (name) => (await readReviewState(npm(name))).status));

describe('a changed policy', () => {
  it('decides on what an earlier one has left', async () => {
    await submitKnown('one');
    await submitKnown('two');
    await submit(npm('unknown'));
    await apply(holding, {}, npm('one'));
    await apply(holding, {}, npm('two'));

    const held = await runAll(holding);
    const run = await runAll(approving);

    expect(held).toMatchObject({ looked_at: 3, approved: 0, held: 2, undecided: 1 });
    expect(run).toMatchObject({
      state: 'done',
      looked_at: 3,
      approved: 2,
      undecided: 1,
      failed: 0,
    });
    expect(await readStatuses(['one', 'two', 'unknown'])).toEqual([
      ...['approved', 'approved', 'pending'],
    ]);
  });

  it('removes the mark of an earlier rule, and sets that of its own', async () => {
    await submitKnown('one', { published_at: inDays(-5).toISOString() });
    await apply(holding, {}, npm('one'));

    await runAll([rule('old', { when: { minimum_age_days: 7 } })]);

    const { held_by, next_evaluation } = await readReviewState(npm('one'));
    expect({ held_by, rule: next_evaluation?.rule }).toEqual({ held_by: null, rule: 'old' });
  });

  it('never approves a version with a blocking issue, or with an earlier decision', async () => {
    await submitKnown('failing');
    await scanItself('critical', npm('failing'));

    const run = await runAll([rule('all', { when: {} })]);

    expect(run).toMatchObject({ looked_at: 1, approved: 0, held: 1 });
    expect(await readReviewState(npm('failing'))).toMatchObject({
      ...{ status: 'pending', held_by: 'all' },
    });
  });
});

describe('a run', () => {
  it('continues in steps of 500, and is as complete as one without steps', async () => {
    const names = Array.from({ length: 620 }, (_, at) => `p${at}`);
    for (const name of names) await submit(npm(name));

    await step(holding);
    const first = await showPolicy({ rules: holding });
    const last = await runAll(holding);

    expect(first.run).toMatchObject({ state: 'running', looked_at: 500, finished_at: null });
    expect(last).toMatchObject({ state: 'done', looked_at: 620, undecided: 620 });
  });

  it('costs two reads if nothing is due, and writes nothing for a version without a change', async () => {
    await submitKnown('one');
    await apply(holding, {}, npm('one'));
    await runAll(holding);
    const before = await readReviewState(npm('one'));

    const idle = await measure(() => step(holding));
    await putAlone(requestPolicyRun(new Date()));
    await runAll(holding);

    expect(idle.calls).toBe(2);
    expect(await readReviewState(npm('one'))).toEqual(before);
  });

  it('is done once by several invocations at the same time', async () => {
    for (const name of ['one', 'two', 'three']) await submitKnown(name);

    await Promise.all([step(approving), step(approving), step(approving)]);

    const { run } = await showPolicy({ rules: approving });
    expect(run).toMatchObject({ state: 'done', looked_at: 3 });
    expect(await readStatuses(['one', 'two', 'three'])).toEqual(Array(3).fill('approved'));
  });

  it('counts a version that fails, and evaluates the others', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    await submitKnown('one');
    await submitKnown('two');
    // No item holds such a text.
    const when = { names: ['one'] };
    const failing = rule('too-long', { when, reason: 'x'.repeat(500_000) });

    const run = await runAll([failing, ...approving]);

    expect(run).toMatchObject({ looked_at: 2, approved: 1, failed: 1 });
    expect(await readStatuses(['one', 'two'])).toEqual(['pending', 'approved']);
  });

  it('follows a decision on a license', async () => {
    await submitKnown('one', {
      ...{ license: 'MIT', licenses_declared: ['MIT'] },
      ...{ license_declaration: 'readable', license_statement: 'MIT' },
    });
    const rules = [rule('licenses', { when: { license: ['rejected'] }, then: 'reject' })];
    await runAll(rules);
    expect(await readStatuses(['one'])).toEqual(['pending']);

    await rejectLicense('MIT');
    expect((await showPolicy({ rules })).run?.state).toBe('requested');
    const run = await runAll(rules);

    expect(run).toMatchObject({ rejected: 1 });
    expect(await readStatuses(['one'])).toEqual(['rejected']);
  });
});

describe('the schedule', () => {
  const now = new Date();
  const later = new Date(now.getTime() + 3 * 60_000);

  it('requests a run after a deployment of another policy, once in two minutes', async () => {
    await startDuePolicyRun({ rules: holding }, now);
    const { request } = await readPolicyRun();
    await startDuePolicyRun({ rules: holding }, now);

    expect(request).toBeDefined();
    expect((await readPolicyRun()).request).toEqual(request);
    await startDuePolicyRun({ rules: holding }, later);
    expect((await readPolicyRun()).request?.id).not.toBe(request?.id);
  });

  it('requests nothing without rules, or after a run', async () => {
    await startDuePolicyRun({ rules: [] }, now);
    expect((await readPolicyRun()).request).toBeUndefined();

    await submit(id);
    await runAll(holding);
    await startDuePolicyRun({ rules: holding }, later);

    expect((await readPolicyRun()).request).toBeUndefined();
  });
});
