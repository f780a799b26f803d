import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReviewsQuery } from '../../shared/api/schemas/reviews-query.ts';
import { mostPendingUpdates } from '../../shared/domain/review/automatic-submission.ts';
import { makeReviewRows } from '../../shared/storage/reviews/review-rows.ts';
import type { RowSource } from '../../shared/storage/reviews/row-source.ts';
import { findPendingUpdates } from '../../shared/use-cases/review/find-pending-updates.ts';
import { listReviews } from '../../shared/use-cases/review/list-reviews.ts';
import { runInParallel } from '../../shared/util/in-parallel.ts';
import { put } from '../storage/integrity/reviewed-registry.ts';
import { measure, startEngine, type TestEngine } from '../support/engine.ts';

const submitted: RowSource = {
  status: 'pending',
  automatic: { cause: 'update' },
  ...{ submitted_at: '2026-11-01T00:00:00.000Z', submitted_by: 'registry', submitter: null },
  ...{ batches: ['updates'], revision: 0 },
};

/** Two updates of each package, and a few more than one request reads. */
const keys = Array.from({ length: mostPendingUpdates + 10 }, (_, at) => {
  const name = `@organisation/library-${String(at >> 1).padStart(4, '0')}`;
  return `npm#${name}#1.${at % 2}.0`;
});

describe('more pending updates than a request reads', () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await startEngine();
    const rows = keys.flatMap((key) => makeReviewRows(key, submitted).rows);
    await runInParallel(rows, 20, (row) => put('reviews', row));
  });
  afterAll(() => engine.close());

  it('take one query of at most 14 units, and none for decided versions', async () => {
    const [pending, approved] = [
      await measure(() => findPendingUpdates('pending')),
      await measure(() => findPendingUpdates('approved')),
    ];

    expect(pending.result.all).toHaveLength(mostPendingUpdates / 2);
    expect(pending.calls).toBe(1);
    expect(pending.readUnits).toBeLessThanOrEqual(14);
    expect(approved.calls).toBe(0);
  });

  it('let a list without a batch look at each row once', async () => {
    const { result, calls } = await measure(() =>
      listReviews(ReviewsQuery.parse({ cause: 'update', limit: '1' }), {
        rules: {},
        inquiries: { isScanning: false, isCollectingFacts: false },
        now: new Date(),
      }),
    );

    expect(result.older_updates).toBe(mostPendingUpdates / 2);
    // The freeze, the updates, the queries of 250 rows, and the review states of each 50 rows.
    expect(calls).toBeLessThanOrEqual(2 + 5 + 21);
  });
});
