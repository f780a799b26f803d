import { describe, expect, it } from 'vitest';
import { toKey } from '../../console/address/version-id.ts';
import { sortReviews } from '../../console/decisions/sort-reviews.ts';
import type { Review } from '../../shared/api/schemas/review.ts';

const startedAt = Date.parse('2026-11-28T12:00:00.000Z');

const makeReview = (name: string, fields: Partial<Review> = {}): Review =>
  ({
    ...{ ecosystem: 'pypi', name, version: '1.0.0', status: 'pending', issues: [] },
    ...{ evidence_version: 'evidence', waits_for: ['review'], older_updates: [] },
    submitted_at: '2026-11-28T11:59:59.999Z',
    ...fields,
  }) as unknown as Review;

const sort = (reviews: readonly Review[], older: readonly string[] = []) =>
  sortReviews(reviews, {
    run: { startedAt, older },
    heldPackages: new Set(['pypi#named-by-record']),
    isBusy: ({ name }) => name === 'busy',
  });

describe('an approval of all versions without issues', () => {
  it('leaves out what waits, what a held record names, open decisions and later versions', () => {
    const { ready, counts } = sort([
      makeReview('ready'),
      makeReview('waiting', { waits_for: ['scan'] }),
      makeReview('without-evidence', { evidence_version: null }),
      makeReview('Named_by.Record'),
      makeReview('busy'),
      makeReview('later', { submitted_at: '2026-11-28T12:00:00.001Z' }),
    ]);

    expect(ready.map(({ name }) => name)).toEqual(['ready']);
    expect(counts).toEqual({ waiting: 2, held: 1, busy: 1, later: 1 });
  });

  it('leaves out older updates that its own approvals make visible', () => {
    const newest = makeReview('updated', { version: '3.0.0', older_updates: ['1.0.0', '2.0.0'] });
    const { older } = sort([newest, makeReview('other')]);
    const next = sort([makeReview('updated', { version: '2.0.0' }), makeReview('third')], older);

    expect(older).toEqual([
      toKey({ ...newest, version: '1.0.0' }),
      toKey({ ...newest, version: '2.0.0' }),
    ]);
    expect(next.ready.map(({ name }) => name)).toEqual(['third']);
    expect(Object.values(next.counts)).toEqual([0, 0, 0, 0]);
  });
});
