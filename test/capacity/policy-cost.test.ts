import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PolicyRule } from '../../shared/domain/policy/rule.ts';
import { readPolicyRun } from '../../shared/storage/reviews/policy-run.ts';
import { continuePolicyRun } from '../../shared/use-cases/policy/continue-policy-run.ts';
import { type Measurement, measure, startEngine, type TestEngine } from '../support/engine.ts';
import { realisticPackages } from '../support/realistic-packages.ts';
import {
  apply,
  context,
  declares,
  learn,
  rule,
  scanItself,
  submit,
} from '../use-cases/policy/policy-registry.ts';
import { openItems } from './loaded-registry.ts';
import { type StoredItems, storedItems } from './stored-registry.ts';

/** So many rules as a policy may have, of which only the last may match. */
const manyRules = (last: PolicyRule): PolicyRule[] => [
  ...Array.from({ length: 99 }, (_, at) =>
    rule(`other-${at}`, { when: { names: [`@acme-${at}/*`], scan: ['passed'] } }),
  ),
  last,
];

describe('the evaluation of one version', () => {
  let engine: TestEngine;
  beforeEach(async () => {
    engine = await startEngine();
    await submit();
    await learn(declares('MIT'));
    await scanItself();
  });
  afterEach(() => engine.close());

  const holding = rule('careful', { when: {}, then: 'hold' });
  const approving = rule('all', { when: {} });

  it.each([
    ['1 rule', [holding]],
    ['100 rules', manyRules(holding)],
  ])('costs 4 calls without a decision, with %s', async (_, rules) => {
    const { calls, readUnits, writeUnits } = await measure(() => apply(rules));

    // The version, its review state, and the license; then the evaluation.
    expect(calls).toBeLessThanOrEqual(4);
    expect(readUnits).toBeLessThanOrEqual(3);
    expect(writeUnits).toBeLessThanOrEqual(4);
  });

  it.each([
    ['1 rule', [approving]],
    ['100 rules', manyRules(approving)],
  ])('costs as much as a decision of a person where it decides, with %s', async (_, rules) => {
    const { calls, readUnits, writeUnits } = await measure(() => apply(rules));

    // A rule also reads whether the registry is frozen, and whether a held record names the package.
    expect(calls).toBeLessThanOrEqual(6);
    expect(readUnits + writeUnits).toBeLessThanOrEqual(55);
  });

  it('asks for approved versions of the package once, whatever the number of rules', async () => {
    const major = (at: number) => rule(`major-${at}`, { when: { approved_major: true } });
    const rules = Array.from({ length: 100 }, (_, at) => major(at));

    const { calls } = await measure(() => apply(rules));

    expect(calls).toBeLessThanOrEqual(5);
  });
});

describe('a run over 10,000 pending versions', () => {
  const versions = 10_000;
  const rules = [rule('careful', { when: {}, then: 'hold' })];
  const settings = {
    deadline: { remainingMs: () => 300_000 },
    inquiries: { isScanning: false, isCollectingFacts: false },
  };

  /** Versions that an earlier run has evaluated with the same result. */
  function* evaluated(): Generator<StoredItems> {
    const pending = [...realisticPackages(versions)].map(({ decision: _, ...one }) => one);
    for (const items of storedItems(pending)) {
      const reviews = items.reviews.map((head) =>
        'status' in head ? { ...head, held_by: 'careful', evaluated_revision: 0 } : head,
      );
      yield { ...items, reviews };
    }
  }

  let engine: TestEngine;
  beforeAll(async () => {
    engine = await openItems(evaluated());
  });
  afterAll(() => engine.close());

  it('costs about one read unit for a version, and writes its progress alone', async () => {
    const steps: Measurement[] = [];
    for (let done = false; !done; ) {
      steps.push(await measure(() => continuePolicyRun(context(rules, settings))));
      done = (await readPolicyRun()).run?.after === null;
    }

    const { run } = await readPolicyRun();
    const sum = (pick: (step: (typeof steps)[number]) => number): number =>
      steps.reduce((total, step) => total + pick(step), 0);
    expect(run).toMatchObject({ looked_at: versions, held: versions, failed: 0 });
    expect(steps.length).toBeLessThanOrEqual(21);
    expect(sum(({ readUnits }) => readUnits)).toBeLessThanOrEqual(versions * 1.15);
    expect(sum(({ writeUnits }) => writeUnits)).toBeLessThanOrEqual(steps.length);
    // A list, the review states and their licenses for each hundred versions, and the run.
    expect(Math.max(...steps.map(({ calls }) => calls))).toBeLessThanOrEqual(25);
  });
});
