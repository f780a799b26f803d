import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReviewPage } from '../../shared/api/schemas/review.ts';
import { ReviewsQuery } from '../../shared/api/schemas/reviews-query.ts';
import { noFacts } from '../../shared/domain/facts/facts.ts';
import { summarizeFacts } from '../../shared/domain/facts/summary.ts';
import { noCounts } from '../../shared/domain/vulnerabilities/scan-summary.ts';
import { defaultScanPolicy } from '../../shared/domain/vulnerabilities/verdict.ts';
import { withReadBudget } from '../../shared/storage/dynamodb/read-budget.ts';
import type { ReviewState } from '../../shared/storage/reviews/review-state.ts';
import { listReviews } from '../../shared/use-cases/review/list-reviews.ts';
import { summarizeReviews } from '../../shared/use-cases/review/summarize-reviews.ts';
import { measure, type TestEngine } from '../support/engine.ts';
import { openItems } from './loaded-registry.ts';
import { storedPending } from './pending-registry.ts';

/** What each filter and each order of the list of reviews costs among 100,000 pending versions. */

const size = 100_000;
const loadMs = 600_000;
const toName = (at: number): string => `lib-${String(at).padStart(6, '0')}`;

const deprecated = summarizeFacts(
  { ...noFacts, found: 'yes', reason: null, deprecated: 'Use another one' },
  'digest',
  new Date(),
);

/** A scan source with findings. */
const scanned = { id: 'a', number: 1, tools: ['a'], label: 'ci', fingerprint: null };
const finished = { digest: 'found', partial: null, severity: noCounts };

/** True for one of `each` versions, from `first` on. */
const isOne = (at: number, each: number, first: number): boolean => at % each === first;

const describeVersion = (at: number): Partial<ReviewState> => ({
  ...(isOne(at, 200, 1) && { counts: { ...noCounts, critical: 1 } }),
  ...(isOne(at, 200, 2) && { counts: { ...noCounts, low: 2 } }),
  ...((isOne(at, 200, 1) || isOne(at, 200, 2)) && {
    sources: [{ ...scanned, finished }] as unknown as ReviewState['sources'],
  }),
  ...(isOne(at, 500, 5) && { batches: ['shop', 'till'] }),
  ...(isOne(at, 5000, 6) && { batches: ['shop', 'till', 'kiosk'] }),
  ...(isOne(at, 1000, 8) && { facts: deprecated }),
  ...(isOne(at, 2000, 9) && {
    automatic: { cause: 'dependency', of: null, fixes: [], fingerprint: null, root: null } as never,
  }),
  ...(isOne(at, 1000, 10) && { submitted_by: 'ana' }),
  ...(isOne(at, 100, 11) && { submitter: 'web' }),
});

const context = {
  rules: { scanPolicy: defaultScanPolicy },
  inquiries: { isScanning: false, isCollectingFacts: false },
  now: new Date(),
};

const ask = (query: Readonly<Record<string, string>>) =>
  measure(() => withReadBudget(() => listReviews(ReviewsQuery.parse(query), context)));

/** The first request, and all requests until the list is complete. */
const walk = async (query: Readonly<Record<string, string>>) => {
  const first = await ask(query);
  const pages: ReviewPage[] = [first.result];
  let units = first.readUnits;
  for (let next = first.result.next; next !== null; next = pages.at(-1)?.next ?? null) {
    const page = await ask({ ...query, after: next });
    units += page.readUnits;
    pages.push(page.result);
  }
  return { first, pages, units };
};

let engine: TestEngine;
beforeAll(async () => {
  const items = storedPending({
    count: size,
    toSubmission: (at) => ({
      ...{ ecosystem: isOne(at, 1000, 0) ? 'pypi' : 'npm', name: toName(at), version: '1.0.0' },
      license: 'MIT',
    }),
    describe: describeVersion,
  });
  engine = await openItems(items);
}, loadMs);
afterAll(() => engine.close());

interface Walked {
  readonly query: Readonly<Record<string, string>>;
  readonly matches: number;
  /** Most calls and read units of the first request. */
  readonly first: readonly [calls: number, units: number];
  /** Most requests and read units until the list is complete. */
  readonly all: readonly [requests: number, units: number];
}

/** Filters for which rows are enough, or which have lists of their own. */
const walked: readonly Walked[] = [
  // One request looks at 10,000 rows, and reads the review states of those that match.
  { query: { ecosystem: 'pypi' }, matches: 100, first: [40, 230], all: [11, 2000] },
  { query: { submitter: 'ana' }, matches: 100, first: [40, 230], all: [11, 2000] },
  { query: { cause: 'dependency' }, matches: 50, first: [40, 210], all: [11, 1900] },
  { query: { issue: 'deprecated' }, matches: 100, first: [40, 230], all: [11, 2000] },
  { query: { ecosystem: 'maven' }, matches: 0, first: [12, 180], all: [11, 1800] },
  // The list of severe versions, and of wanted ones, are exact.
  { query: { severity: 'critical' }, matches: 500, first: [10, 70], all: [6, 350] },
  { query: { severity: 'low' }, matches: 1000, first: [16, 75], all: [11, 750] },
  { query: { issue: 'scan_failed' }, matches: 500, first: [20, 130], all: [11, 700] },
  { query: { issue: 'malware' }, matches: 0, first: [45, 280], all: [3, 600] },
  { query: { demand: '2' }, matches: 220, first: [30, 80], all: [3, 190] },
  { query: { demand: '3' }, matches: 20, first: [22, 25], all: [1, 25] },
  // A label, a package and a batch have lists of their own.
  { query: { label: 'web' }, matches: 1000, first: [10, 70], all: [10, 650] },
  { query: { ecosystem: 'npm', name: toName(17) }, matches: 1, first: [6, 5], all: [1, 5] },
  { query: { batch: 'kiosk' }, matches: 20, first: [6, 20], all: [1, 20] },
  { query: { waiting_days: '3650' }, matches: 0, first: [4, 10], all: [1, 10] },
];

it.each(walked)(
  'a list with $query has $matches versions in at most $all requests and read units',
  async ({ query, matches, first, all }) => {
    const found = await walk(query);

    const names = found.pages.flatMap(({ reviews }) => reviews.map(({ name }) => name));
    expect(names).toHaveLength(matches);
    expect(new Set(names).size).toBe(matches);
    const cost = { calls: found.first.calls, units: found.first.readUnits };
    expect(cost.calls, JSON.stringify(cost)).toBeLessThanOrEqual(first[0]);
    expect(cost.units, JSON.stringify(cost)).toBeLessThanOrEqual(first[1]);
    expect(found.pages.length).toBeLessThanOrEqual(all[0]);
    expect(found.units).toBeLessThanOrEqual(all[1]);
  },
  loadMs,
);

/** Filters that need the review state of each version: one request reads 500. */
it.each<[Readonly<Record<string, string>>]>([
  [{ license_status: 'rejected' }],
  [{ issue: 'too_young' }],
  [{ issue: 'license_rejected' }],
])('a list with %j reads 500 review states in a request, and says so', async (query) => {
  const { result, calls, readUnits } = await ask(query);

  expect(result).toMatchObject({ reviews: [], looked_at: 500, complete: false });
  expect(calls).toBeLessThanOrEqual(25);
  expect(readUnits).toBeLessThanOrEqual(280);
});

it.each([
  ['submitted_at', toName(0)],
  ['-submitted_at', toName(size - 1)],
  ['severity', toName(1)],
  ['demand', toName(6)],
])(
  'a page of 100 in the order %s begins with %s, for the price of any other',
  async (sort, name) => {
    const { result, calls, readUnits } = await ask({ sort });

    expect(result.reviews).toHaveLength(100);
    expect(result.reviews[0]?.name).toBe(name);
    expect(calls).toBeLessThanOrEqual(8);
    expect(readUnits).toBeLessThanOrEqual(62);
  },
);

const checkOrder = (orders: readonly number[]): void =>
  expect(orders).toEqual([...orders].sort((one, other) => one - other));

it(
  'an order by rank has each version once, and those without a rank behind the others',
  async () => {
    let after: string | null = null;
    const names: string[] = [];
    const ranks: number[] = [];
    for (let page = 0; page < 14; page += 1) {
      const query: Record<string, string> = { sort: 'severity', ...(after && { after }) };
      const { result } = await ask(query);
      names.push(...result.reviews.map(({ name }) => name));
      ranks.push(
        ...result.reviews.map(({ scan }) =>
          (scan?.severity.critical ?? 0) > 0 ? 0 : (scan?.severity.low ?? 0) > 0 ? 1 : 2,
        ),
      );
      after = result.next;
    }

    expect(new Set(names).size).toBe(names.length);
    expect(ranks.filter((rank) => rank < 2)).toHaveLength(1000);
    expect(ranks.length).toBeGreaterThan(1100);
    checkOrder(ranks);
  },
  loadMs,
);

it(
  'a summary counts 10,000 versions in a request, and reads the evidence of 500',
  async () => {
    const summarize = (after?: string) =>
      measure(() => withReadBudget(() => summarizeReviews({ ...(after && { after }) }, context)));
    const first = await summarize();
    const pages = [first.result];
    for (let next = first.result.next; next !== null; next = pages.at(-1)?.next ?? null) {
      pages.push((await summarize(next)).result);
    }

    expect(first.result).toMatchObject({ pending: 10_000, looked_at: 10_000, evaluated: 500 });
    expect(first.result.waits.rules).toBe(500);
    expect(first.calls).toBeLessThanOrEqual(35);
    expect(first.readUnits).toBeLessThanOrEqual(450);
    expect(pages.reduce((sum, { pending }) => sum + pending, 0)).toBe(size);
    expect(pages.length).toBeLessThanOrEqual(11);
  },
  loadMs,
);
