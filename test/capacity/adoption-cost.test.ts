import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CheckedPackage } from '../../shared/api/schemas/check.ts';
import { CheckRequest } from '../../shared/api/schemas/check-request.ts';
import { ReviewsQuery } from '../../shared/api/schemas/reviews-query.ts';
import { Submission } from '../../shared/api/schemas/submission.ts';
import { maxBatches } from '../../shared/domain/review/batches.ts';
import { defaultScanPolicy } from '../../shared/domain/vulnerabilities/verdict.ts';
import { byEcosystem, fileEcosystems } from '../../shared/ecosystems/ecosystem.ts';
import { withReadBudget } from '../../shared/storage/dynamodb/read-budget.ts';
import { indexVersions } from '../../shared/use-cases/catalogue/index-versions.ts';
import { checkPackages } from '../../shared/use-cases/package-check/check-packages.ts';
import { listReviews } from '../../shared/use-cases/review/list-reviews.ts';
import { submitPackage } from '../../shared/use-cases/review/submit-package.ts';
import { type Measurement, measure, startEngine, type TestEngine } from '../support/engine.ts';
import { openReviewStream } from '../support/review-stream.ts';
import {
  apply,
  declares,
  id,
  learn,
  rule,
  scanItself,
} from '../use-cases/policy/policy-registry.ts';
import { openItems } from './loaded-registry.ts';
import { storedPending } from './pending-registry.ts';
import { writeContext } from './write-context.ts';

/** Calls, read units and write units of an operation. */
const costOf = ({ calls, readUnits, writeUnits }: Measurement) => [calls, readUnits, writeUnits];

const submit = (batch?: string) =>
  submitPackage(
    Submission.parse({ ...id, license: 'MIT', description: 'Pads a string', batch }),
    writeContext(),
  );

const joinBatch = (batch?: string) =>
  measure(() => expect(submit(batch)).rejects.toMatchObject({ code: 'package_exists' }));

describe('one version costs [calls, read units, write units]', () => {
  let engine: TestEngine;
  beforeEach(async () => {
    engine = await startEngine();
  });
  afterEach(() => engine.close());

  it.each([
    ['no batch', undefined],
    ['a batch', 'shop'],
    ['the longest batch', 'b'.repeat(100)],
  ])('[3, 1, 47] for a submission with %s', async (_, batch) => {
    const cost = await measure(() => submit(batch));

    // The check for the version, its sequence number, and the transaction.
    expect(costOf(cost)).toEqual([3, 1, 47]);
  });

  it('[2, 1, 1] for a further batch, and no write for a batch that changes nothing', async () => {
    await submit('shop');

    expect(costOf(await joinBatch('till'))).toEqual([2, 1, 1]);
    expect(costOf(await joinBatch('till'))).toEqual([2, 1, 0]);
    expect(costOf(await joinBatch())).toEqual([1, 1, 0]);
    for (let at = 2; at < maxBatches; at += 1) await joinBatch(`more-${at}`);
    expect(costOf(await joinBatch('too-many'))).toEqual([2, 1, 0]);
  });

  it('one write unit of the index worker for each list of the version, and one for a name without approvals', async () => {
    const readStream = await openReviewStream(engine);
    const deadline = { remainingMs: () => 60_000 };
    const index = async () => {
      const Records = await readStream();
      return costOf(await measure(() => indexVersions({ Records }, deadline)));
    };

    await submit('shop');
    // The lists of pending versions, of the batch, of the license, and of batches.
    expect(await index()).toEqual([4, 0, 4]);
    await learn(declares('MIT'));
    await scanItself();
    expect(await index()).toEqual([0, 0, 0]);
    await joinBatch('till');
    // The review state, the rows of the batch and of the demand, and the list of batches.
    expect(await index()).toEqual([4, 1, 3]);
    // Three rows change, two rows of pending versions go, and the name becomes known.
    await apply([rule('all', { when: {} })]);
    expect(await index()).toEqual([12, 3, 8]);
  });

  it.each([
    ['[4, 3, 4] for rules that leave it to people', 'hold', [4, 3, 4]],
    ['[6, 5, 54] for rules that approve it', 'approve', [6, 5, 54]],
  ] as const)('%s', async (_, then, cost) => {
    await submit('shop');
    await learn(declares('MIT'));
    await scanItself();
    const rules = [rule('any', { when: {}, then })];

    expect(costOf(await measure(() => apply(rules)))).toEqual(cost);
    // A repeated record of the stream reads the version and its review state.
    expect(costOf(await measure(() => apply(rules)))).toEqual([2, 2, 0]);
  });
});

const makeName = (at: number): string => `lib-${String(at).padStart(3, '0')}`;

/** Pending versions of one batch, with their rows in the lists of reviews. */
const storedBatch = (count: number) =>
  storedPending({
    count,
    toSubmission: (at) => ({
      ...{ ecosystem: 'npm', name: makeName(at), version: '1.0.0', license: 'MIT' },
    }),
    describe: () => ({ batches: ['shop'] }),
  });

const context = {
  rules: { scanPolicy: defaultScanPolicy },
  inquiries: { isScanning: true, isCollectingFacts: true },
  origins: byEcosystem(fileEcosystems, () => ({ index_hosts: [], file_hosts: [] })),
  own: [],
};

describe.each([100, 800])('a batch with %i pending versions', (versions) => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await openItems(storedBatch(versions));
  });
  afterAll(() => engine.close());

  const list = (limit: number) =>
    measure(() =>
      withReadBudget(() =>
        listReviews(ReviewsQuery.parse({ batch: 'shop', limit: String(limit) }), {
          ...context,
          now: new Date(),
        }),
      ),
    );

  /** Read units of one query, which has 250 rows at most. */
  const rowUnits = versions === 100 ? 1.5 : 3.5;

  it('has a page of 100 in 7 calls, with half a unit for each version', async () => {
    const page = await list(100);

    expect(page.result.reviews).toHaveLength(100);
    // The freeze, one query of rows and one of updates, and for each 50 versions their review states and their license.
    expect(costOf(page)).toEqual([7, 1.5 + rowUnits + 2 * (50 / 2 + 1), 0]);
  });

  it.each([1, 25, 40])(
    'has a page of %i with the review states of at most 25 or so many',
    async (limit) => {
      const page = await list(limit);

      const states = Math.max(limit, 25);
      expect(page.result.reviews).toHaveLength(limit);
      expect(page.result.complete).toBe(false);
      expect(costOf(page)).toEqual([5, 1.5 + rowUnits + states / 2 + 1, 0]);
      expect(page.result.looked_at).toBe(limit);
    },
  );

  /** One check of `registry check --submit --wait`, with its largest number of versions. */
  const poll = (allow: 'approved' | 'pending') => {
    const packages = Array.from({ length: Math.min(versions, 250) }, (_, at) => ({
      ...{ ecosystem: 'npm', name: makeName(at), version: '1.0.0' },
    }));
    const request = CheckRequest.parse({ packages, allow: [allow] });
    return measure(() => withReadBudget(() => checkPackages(request, context, new Date())));
  };

  const polled = Math.min(versions, 250);

  it('has a check of the most versions that a wait checks at once in half a unit for each', async () => {
    const cost = await poll('pending');

    expect(cost.result.counts.pending).toBe(polled);
    // The review states in calls of 50, one call for the license, and one for the freeze.
    expect(costOf(cost)).toEqual([polled / 50 + 2, polled / 2 + 2, 0]);
  });

  it('adds half a unit for each of 20 refused versions, and leaves out none of them', async () => {
    const [allowed, refused] = [await poll('pending'), await poll('approved')];

    const isSearched = (one: CheckedPackage): boolean => 'nearest_approved' in one;
    expect(refused.result.packages.filter(isSearched)).toHaveLength(20);
    expect(refused.calls - allowed.calls).toBe(20);
    expect(refused.readUnits - allowed.readUnits).toBe(20 / 2);
  });
});
