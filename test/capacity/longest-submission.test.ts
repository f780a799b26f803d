import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { Submission } from '../../shared/api/schemas/submission.ts';
import { toVersionKey } from '../../shared/domain/packages/package-id.ts';
import type { Ecosystem } from '../../shared/ecosystems/ecosystem.ts';
import { dynamodb } from '../../shared/storage/dynamodb/dynamodb.ts';
import { saveIdempotentResponse } from '../../shared/storage/idempotency/idempotency-record.ts';
import { indexReview } from '../../shared/storage/reviews/index-reviews.ts';
import { runDueWork } from '../../shared/use-cases/due-work/run-due-work.ts';
import { applyPolicy } from '../../shared/use-cases/policy/apply-policy.ts';
import {
  type DecisionRequest,
  decidePackage,
} from '../../shared/use-cases/review/decide-package.ts';
import type { ReviewContext } from '../../shared/use-cases/review/review-context.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { saveScan } from '../../shared/use-cases/scanning/keep-scan.ts';
import { startEngine, type TestEngine } from '../support/engine.ts';
import { failedScan } from './clean-scan.ts';
import { scanContext, writeContext } from './write-context.ts';

/** The most items of a transaction, of DynamoDB's limit of 100. */
const maxItems = { submission: 96, decision: 99 };

let engine: TestEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => engine.close());

/** Distinct words up to a length: each makes a search row. */
const words = (length: number, separator: string): string =>
  Array.from({ length }, (_, at) => (at * 7919).toString(36))
    .join(separator)
    .slice(0, length - 1)
    .concat('x');

const longest: readonly [Ecosystem, string, string][] = [
  ['npm', `@${words(106, '-')}/${words(106, '.')}`, '1.0.0'],
  ['pypi', words(255, '_'), '1.0.0'],
  ['maven', `${words(127, '.')}:${words(127, '-')}`, '1.0.0'],
  ['docker', words(255, '/'), 'latest'],
];

/** A context with an Idempotency-Key, whose record is one more item. */
const contextOf = (scope: string): ReviewContext => ({
  ...writeContext(),
  remember: () => [
    saveIdempotentResponse(
      { scope, fingerprint: scope, now: new Date() },
      { statusCode: 201, headers: {}, body: '' },
    ),
  ],
});

const itemsOf = (sent: { readonly mock: { readonly calls: readonly unknown[][] } }): number[] =>
  sent.mock.calls.flatMap(([command]) => {
    const { input } = command as { input: { TransactItems?: readonly unknown[] } };
    return input.TransactItems ? [input.TransactItems.length] : [];
  });

const rules = {
  // No issue blocks, because only a person may override one.
  blockingIssues: [],
  approvalDays: 30,
};

it.each(longest)(
  'applies rules to the longest %s name and description within the limit of a transaction',
  async (ecosystem, given, version) => {
    const id = { ecosystem, name: `${given.slice(0, -3)}yyy`, version };
    const submission = Submission.parse({
      ...{ ...id, license: 'MIT', batch: 'b'.repeat(100) },
      description: words(4096, ' '),
    });
    await submitPackage(submission, contextOf(`submit ${id.name}`));
    await saveScan(id, failedScan(id), scanContext());
    const sent = vi.spyOn(dynamodb, 'send');

    const outcome = await applyPolicy(id, {
      ...writeContext(),
      policy: { rules: [{ name: 'any', when: {}, then: 'approve' }] },
      rules,
      inquiries: { isScanning: false, isCollectingFacts: false },
    });

    expect(outcome).toBe('decided');
    expect(Math.max(...itemsOf(sent))).toBeLessThanOrEqual(maxItems.decision);
    // This removes the due work, which later tests do not expect.
    await decidePackage(id, { to: 'rejected', by: 'ana', reason: 'seen' }, writeContext());
  },
);

const dayMs = 24 * 60 * 60_000;
const deadline = { remainingMs: () => 60_000 };

it.each(longest)(
  'writes the longest %s name and description, and each change of its status, in one transaction',
  async (ecosystem, name, version) => {
    const id = { ecosystem, name, version };
    const decide = (what: string, request: DecisionRequest) =>
      decidePackage(id, request, contextOf(`${what} ${name}`));
    const approval = { to: 'approved', by: 'ana', reason: 'for now', override: true } as const;
    const submission = Submission.parse({
      ...{ ...id, license: 'MIT', batch: 'b'.repeat(100) },
      description: words(4096, ' '),
    });
    const sent = vi.spyOn(dynamodb, 'send');

    await submitPackage(submission, contextOf(`submit ${name}`));
    await saveScan(id, failedScan(id), scanContext());
    await decide('approve', { ...approval, expires_in_days: 30 });
    await decide('reject', { to: 'rejected', by: 'ana', reason: 'on second thoughts' });
    await decide('approve again', { ...approval, expires_in_days: 30 });
    await runDueWork({ deadline, now: new Date(Date.now() + 31 * dayMs) });

    await indexReview(toVersionKey(id));

    const [submitted = 0, scanned = 0, ...decided] = itemsOf(sent);
    // An image has no search rows for its version.
    expect(submitted).toBe(ecosystem === 'docker' ? maxItems.submission - 1 : maxItems.submission);
    // The scan, the findings of its source, and the review state.
    expect(scanned).toBe(3);
    expect(decided).toHaveLength(4);
    expect(Math.max(...decided)).toBeLessThanOrEqual(maxItems.decision);
  },
);
