import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PolicyPreviewQuery } from '../../../shared/api/schemas/policy-preview-query.ts';
import type { PolicyRule } from '../../../shared/domain/policy/rule.ts';
import { previewPolicy } from '../../../shared/use-cases/policy/preview-policy.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { npm, work } from '../vulnerability-index/accepted-registry.ts';
import { apply, context, inDays, learn, rule, scanItself, submit } from './policy-registry.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const preview = async (rules: readonly PolicyRule[], query: Partial<PolicyPreviewQuery> = {}) => {
  const { results, next } = await previewPolicy(
    { status: 'pending', after: 0, limit: 100, ...query },
    context(rules),
  );
  return {
    next,
    results: results.map(({ name, decision, rule: by, waits_for }) => [
      name,
      decision,
      by,
      waits_for.join(),
    ]),
  };
};

/** Submits a version, of which all is known. */
const submitKnown = async (name: string, publishedDaysAgo = 100): Promise<void> => {
  const one = npm(name);
  await submit(one, 'MIT');
  await learn({ published_at: inDays(-publishedDaysAgo).toISOString() }, one);
  await scanItself(undefined, one);
};

it('says of each what rules would make of it, or what it waits for', async () => {
  await submit(npm('unknown'));
  await submitKnown('known');
  await submitKnown('young', 3);
  await submit(npm('scanned'));
  await scanItself(undefined, npm('scanned'));
  await submitKnown('held');
  await submitKnown('other');
  const rules = [
    rule('held', { when: { names: ['held'] }, then: 'hold' }),
    rule('old', { when: { names: ['known', 'young'], minimum_age_days: 7 } }),
  ];

  const { results } = await preview(rules);

  expect(results).toEqual([
    ['unknown', null, null, 'facts,scan'],
    ['known', 'approve', 'old', ''],
    ['young', null, null, 'age'],
    ['scanned', null, null, 'facts'],
    ['held', 'hold', 'held', ''],
    ['other', null, null, ''],
  ]);
});

it('says that no rule looks at what a person decided before', async () => {
  await submitKnown('run-out');
  await decidePackage(
    npm('run-out'),
    { to: 'approved', by: 'ann', expires_in_days: 1 },
    writeContext(),
  );
  await work(inDays(2));

  expect((await preview([rule('any', { when: {} })])).results).toEqual([
    ['run-out', null, null, ''],
  ]);
});

it('says what then becomes of them', async () => {
  const rules = [
    rule('a', { when: { names: ['a*'], approved_major: false } }),
    rule('b', { when: { license: ['unreviewed'], names: ['*b'] }, then: 'reject' }),
  ];
  const names = ['a', 'b', 'ab', 'c'];
  for (const name of names) await submitKnown(name);

  const { results } = await preview(rules);
  for (const name of names) await apply(rules, {}, npm(name));

  expect(results.map(([, decision]) => decision)).toEqual(['approve', 'reject', 'approve', null]);
  expect((await preview(rules)).results).toEqual([['c', null, null, '']]);
});

it('goes page by page, with few reads, and writes nothing', async () => {
  for (let at = 0; at < 30; at += 1) await submitKnown(`package-${at}`);
  const rules = [rule('any', { when: { license: ['approved'] } })];

  const first = await measure(() => preview(rules, { after: 0, limit: 20 }));
  const second = await preview(rules, { after: Number(first.result.next), limit: 20 });

  expect([first.result.results.length, second.results.length, second.next]).toEqual([20, 10, null]);
  // What counts, a stretch of the list, the heads, and the one license of all.
  expect(first.calls).toBeLessThanOrEqual(5);
  expect(first.writeUnits).toBe(0);
});

it('counts the first unmet condition of each rule, and rules that blocking issues stop', async () => {
  await submitKnown('old');
  await submitKnown('young', 3);
  await submitKnown('risky');
  await scanItself('critical', npm('risky'));
  const rules = [
    rule('of-pypi', { when: { ecosystems: ['pypi'] } }),
    rule('of-age', { when: { minimum_age_days: 7 } }),
  ];

  const { unmet } = await previewPolicy(
    { status: 'pending', after: 0, limit: 100 },
    context(rules),
  );

  expect(unmet).toEqual([
    { rule: 'of-pypi', condition: 'ecosystems', versions: 3 },
    { rule: 'of-age', condition: 'minimum_age_days', versions: 1 },
    { rule: 'of-age', condition: 'issues', versions: 1 },
  ]);
});

it('compares decided versions on their present evidence, without those that a rule decided', async () => {
  const all = [rule('all', { when: {} })];
  await submitKnown('by-rule');
  await apply(all, {}, npm('by-rule'));
  await submitKnown('by-person');
  await decidePackage(npm('by-person'), { to: 'approved', by: 'ann' }, writeContext());
  await submitKnown('major');

  expect((await preview(all, { status: 'approved' })).results).toEqual([
    ['by-person', 'approve', 'all', ''],
  ]);
  const major = [rule('major', { when: { approved_major: true } })];
  expect((await preview(major, { status: 'approved' })).results).toEqual([
    ['by-person', null, null, ''],
  ]);
  expect((await preview(all, { status: 'rejected' })).results).toEqual([]);
});
