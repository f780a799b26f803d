import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReviewSummaryQuery } from '../../../shared/api/schemas/review-summary.ts';
import { Submission } from '../../../shared/api/schemas/submission.ts';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { toFinding } from '../../../shared/domain/vulnerabilities/finding.ts';
import { toScanResult } from '../../../shared/domain/vulnerabilities/scan-result.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { withReadBudget } from '../../../shared/storage/dynamodb/read-budget.ts';
import { indexReview } from '../../../shared/storage/reviews/index-reviews.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { summarizeReviews } from '../../../shared/use-cases/review/summarize-reviews.ts';
import { saveScan } from '../../../shared/use-cases/scanning/keep-scan.ts';
import { scanContext, writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

const dayMs = 86_400_000;
const toId = (name: string) => ({ ecosystem: 'npm', name, version: '1.0.0' }) as const;

const submit = async (name: string, batch: string | undefined, daysAgo = 0): Promise<void> => {
  const submission = Submission.parse({ ...toId(name), batch });
  const now = new Date(Date.now() - daysAgo * dayMs);
  const actor = { label: name === 'bad' ? 'web' : 'ci', fingerprint: null };
  await submitPackage(submission, { ...writeContext(), actor, now });
  await indexReview(toVersionKey(toId(name)));
};

const summarize = (query: Readonly<Record<string, string>> = {}) =>
  withReadBudget(() =>
    summarizeReviews(ReviewSummaryQuery.parse(query), {
      rules: { scanPolicy: defaultScanPolicy },
      inquiries: { isScanning: true, isCollectingFacts: false },
      now: new Date(),
    }),
  );

const toAges = ({ by_age }: Awaited<ReturnType<typeof summarize>>): number[] =>
  by_age.map(({ versions }) => versions);

describe('the summary of a list of reviews', () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await startEngine();
    await submit('oldest', 'shop', 40);
    await submit('old', undefined, 10);
    await submit('young', 'shop', 2);
    await submit('new', undefined);
    await submit('bad', 'shop');
    await submit('done', 'shop');
    const findings = [toFinding({ id: 'CVE-2026-1', severity: 'critical' })];
    const result = toScanResult(toId('bad'), { tools: ['a'], findings }, scanContext());
    await saveScan(toId('bad'), result, scanContext());
    await decidePackage(toId('done'), { to: 'rejected', by: 'ana', reason: 'no' }, writeContext());
    await indexReview(toVersionKey(toId('done')));
  });
  afterAll(() => engine.close());

  it('counts the versions of a batch that a label submitted', async () => {
    const [all, web] = [
      await summarize({ batch: 'shop' }),
      await summarize({ batch: 'shop', label: 'web' }),
    ];

    expect([all.pending, all.rejected]).toEqual([3, 1]);
    expect([web.pending, web.rejected, web.looked_at]).toEqual([1, 0, 4]);
  });

  it('counts pending versions by age, by issue, and by what they wait for', async () => {
    const summary = await summarize();

    expect(summary).toMatchObject({
      ...{ pending: 5, approved: 0, rejected: 0, evaluated: 5, looked_at: 5 },
      ...{ complete: true, next: null },
      // No rules are deployed, and the scanner of the registry has scanned none of them.
      waits: { scan: 5, facts: 0, age: 0, freeze: 0, review: 0, rules: 0 },
    });
    expect(toAges(summary)).toEqual([2, 1, 0, 1, 1]);
    const issues = summary.issues.filter(({ code }) => code.startsWith('scan'));
    expect(issues).toEqual([
      { code: 'scan_failed', versions: 1, blocking: 1 },
      { code: 'scan_missing', versions: 4, blocking: 0 },
    ]);
  });

  it('counts a batch and a label in all statuses', async () => {
    expect(await summarize({ batch: 'shop' })).toMatchObject({
      ...{ pending: 3, approved: 0, rejected: 1, looked_at: 4 },
    });
    expect(await summarize({ label: 'web' })).toMatchObject({ pending: 1, rejected: 0 });
    expect(await summarize({ batch: 'nobody' })).toMatchObject({ pending: 0, looked_at: 0 });
  });

  it('counts one ecosystem, and goes on after a cursor', async () => {
    expect(await summarize({ ecosystem: 'pypi' })).toMatchObject({ pending: 0, looked_at: 5 });
    const after = new Date(Date.now() - 5 * dayMs).toISOString();
    expect(await summarize({ after })).toMatchObject({ pending: 3, looked_at: 3 });
  });
});
