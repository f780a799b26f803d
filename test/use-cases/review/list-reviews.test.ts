import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReviewsQuery } from '../../../shared/api/schemas/reviews-query.ts';
import { Submission } from '../../../shared/api/schemas/submission.ts';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { maxBatches } from '../../../shared/domain/review/batches.ts';
import { toFinding } from '../../../shared/domain/vulnerabilities/finding.ts';
import { toScanResult } from '../../../shared/domain/vulnerabilities/scan-result.ts';
import type { Severity } from '../../../shared/domain/vulnerabilities/severity.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { withReadBudget } from '../../../shared/storage/dynamodb/read-budget.ts';
import { indexReview } from '../../../shared/storage/reviews/index-reviews.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { listReviews } from '../../../shared/use-cases/review/list-reviews.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { saveScan } from '../../../shared/use-cases/scanning/keep-scan.ts';
import { scanContext, writeContext } from '../../capacity/write-context.ts';
import { put, remove } from '../../storage/integrity/reviewed-registry.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { meanwhile } from '../../support/meanwhile.ts';

const dayMs = 86_400_000;
const npm = (name: string) => ({ ecosystem: 'npm', name, version: '1.0.0' }) as const;

let engine: TestEngine;

interface Submitted {
  readonly batch?: string;
  readonly license?: string;
  readonly submitted_by?: string;
  readonly label?: string;
  readonly daysAgo?: number;
  readonly ecosystem?: 'npm' | 'pypi';
}

const submit = async (
  name: string,
  { label = 'ci', daysAgo = 0, ecosystem = 'npm', ...fields }: Submitted = {},
) => {
  const id = { ...npm(name), ecosystem };
  const now = new Date(Date.now() - daysAgo * dayMs);
  const actor = { label, fingerprint: null };
  const submission = Submission.parse({ ...id, license: 'MIT', ...fields });
  await submitPackage(submission, { ...writeContext(), actor, now });
  await indexReview(toVersionKey(id));
};

const join = async (name: string, batch: string): Promise<void> => {
  const submission = Submission.parse({ ...npm(name), batch });
  await expect(submitPackage(submission, writeContext())).rejects.toMatchObject({
    code: 'package_exists',
  });
  await indexReview(toVersionKey(npm(name)));
};

const scan = async (name: string, severity: Severity | null): Promise<void> => {
  const id = npm(name);
  const given = severity === 'unrated' ? null : severity;
  const findings = severity === null ? [] : [toFinding({ id: 'CVE-2026-1', severity: given })];
  const result = toScanResult(id, { tools: ['a'], findings }, scanContext());
  await saveScan(id, result, scanContext());
  await indexReview(toVersionKey(id));
};

const decide = async (name: string, to: 'approved' | 'rejected'): Promise<void> => {
  await decidePackage(npm(name), { to, by: 'ana', reason: 'a test' }, writeContext());
  await indexReview(toVersionKey(npm(name)));
};

const context = () => ({
  rules: { scanPolicy: defaultScanPolicy },
  inquiries: { isScanning: false, isCollectingFacts: false },
  now: new Date(),
});

const list = (query: Readonly<Record<string, string>> = {}) =>
  listReviews(ReviewsQuery.parse(query), context());

const listNames = async (query: Readonly<Record<string, string>> = {}): Promise<string[]> =>
  (await list(query)).reviews.map(({ name }) => name);

/** Reads all pages of a list. */
const listAll = async (query: Readonly<Record<string, string>>) => {
  const pages = [await list(query)];
  for (let last = pages.at(-1); last?.next; last = pages.at(-1)) {
    pages.push(await list({ ...query, after: last.next }));
  }
  return pages;
};

describe('a list of reviews', () => {
  beforeAll(async () => {
    engine = await startEngine();
    await submit('old', { batch: 'shop', daysAgo: 30, submitted_by: 'Ana' });
    await submit('clean', { batch: 'shop', daysAgo: 20, label: 'web' });
    await submit('bad', { batch: 'till', daysAgo: 10, license: 'AGPL-3.0-only' });
    await submit('snake', { ecosystem: 'pypi', daysAgo: 5 });
    await submit('vague', { batch: 'shop' });
    await submit('done', { batch: 'shop' });
    await scan('clean', null);
    await scan('old', 'medium');
    await scan('bad', 'critical');
    await scan('vague', 'unrated');
    await decide('done', 'approved');
    await join('old', 'till');
  });
  afterAll(() => engine.close());

  it.each([
    [{}, ['old', 'clean', 'bad', 'snake', 'vague']],
    [{ batch: 'shop' }, ['old', 'clean', 'vague']],
    [{ batch: 'shop', status: 'all' }, ['old', 'clean', 'vague', 'done']],
    [{ batch: 'shop', status: 'approved' }, ['done']],
    [{ batch: 'till' }, ['old', 'bad']],
    [{ batch: 'nobody' }, []],
    [{ ecosystem: 'pypi' }, ['snake']],
    [{ issue: 'scan_failed' }, ['bad']],
    [{ issue: 'scan_missing' }, ['snake']],
    [{ severity: 'critical' }, ['bad']],
    [{ severity: 'low' }, ['old', 'bad']],
    [{ severity: 'unrated' }, ['vague']],
    [{ submitter: 'Ana' }, ['old']],
    [{ submitter: 'web' }, ['clean']],
    [{ waiting_days: '10' }, ['old', 'clean', 'bad']],
    [{ demand: '2' }, ['old']],
    [{ batch: 'shop', severity: 'medium', demand: '2' }, ['old']],
    [{ issue: 'install_scripts' }, []],
    [{ sort: '-submitted_at' }, ['vague', 'snake', 'bad', 'clean', 'old']],
    [{ sort: '-submitted_at', severity: 'low' }, ['bad', 'old']],
    [{ sort: 'severity' }, ['bad', 'old', 'vague', 'clean', 'snake']],
    [{ sort: 'severity', severity: 'medium' }, ['bad', 'old']],
    [{ sort: 'severity', ecosystem: 'pypi' }, ['snake']],
    [{ sort: 'demand' }, ['old', 'clean', 'bad', 'snake', 'vague']],
    [{ sort: 'demand', demand: '2' }, ['old']],
    [{ label: 'web' }, ['clean']],
    [{ label: 'ci', status: 'all' }, ['old', 'bad', 'snake', 'vague', 'done']],
    [{ label: 'ci', status: 'approved' }, ['done']],
    [{ batch: 'shop', label: 'web' }, ['clean']],
    [{ batch: 'shop', sort: '-submitted_at' }, ['vague', 'clean', 'old']],
    [{ ecosystem: 'npm', name: 'bad' }, ['bad']],
    [{ ecosystem: 'npm', name: 'done' }, []],
    [{ batch: 'till', ecosystem: 'npm', name: 'bad' }, ['bad']],
  ])('has with %j: %j', async (query, names) => {
    const page = await list(query);

    expect(page.reviews.map(({ name }) => name)).toEqual(names);
    expect(page).toMatchObject({ complete: true, next: null });
  });

  it('shows the data for a decision, and what the version waits for', async () => {
    const [review] = (await list({ batch: 'till' })).reviews;

    expect(review).toMatchObject({
      ...{ name: 'old', batches: ['shop', 'till'], demand: 2, rule: null, waits_for: ['rules'] },
      ...{ submitted_by: 'Ana', submitted_token_label: 'ci', waits_until: null },
    });
    expect(review?.evidence_version).toMatch(/./);
  });

  it.each(['1', '2', '3'])('continues page by page, with %s results on each', async (limit) => {
    const pages = await listAll({ batch: 'shop', status: 'all', limit });

    const names = pages.flatMap(({ reviews }) => reviews.map(({ name }) => name));
    expect(names).toEqual(['old', 'clean', 'vague', 'done']);
    expect(pages.at(-1)?.complete).toBe(true);
    expect(pages.every(({ reviews }) => reviews.length <= Number(limit))).toBe(true);
    expect(pages.reduce((sum, { looked_at }) => sum + looked_at, 0)).toBe(4);
  });

  it.each([
    [{ sort: 'severity' }, ['bad', 'old', 'vague', 'clean', 'snake']],
    [{ sort: 'demand' }, ['old', 'clean', 'bad', 'snake', 'vague']],
    [{ sort: '-submitted_at' }, ['vague', 'snake', 'bad', 'clean', 'old']],
    [{ severity: 'unrated' }, ['vague']],
    [{ severity: 'low' }, ['old', 'bad']],
    [{ label: 'ci', status: 'all' }, ['old', 'bad', 'snake', 'vague', 'done']],
    [{ ecosystem: 'npm', name: 'old' }, ['old']],
  ])('continues %j in its order, with one result on each page', async (query, names) => {
    const pages = await listAll({ ...query, limit: '1' });

    expect(pages.flatMap(({ reviews }) => reviews.map(({ name }) => name))).toEqual(names);
    expect(pages.at(-1)).toMatchObject({ complete: true });
  });

  it.each([
    [{ name: 'old' }, 'name', 'needs an ecosystem'],
    [{ sort: 'severity', batch: 'shop' }, 'sort', 'must be submitted_at or -submitted_at with'],
    [{ sort: 'severity', after: '2026-01-01T00:00:00Z' }, 'after', 'with equal `sort`'],
    [{ after: 's:02026-01-01T00:00:00Z' }, 'after', 'with equal `sort`'],
    [{ after: 'n:00000001' }, 'after', 'with equal `sort`'],
    [{ after: 'x:2026-01-01T00:00:00Z' }, 'after', 'must be a time in UTC'],
  ])('refuses %j', (query, field, message) => {
    const { error } = ReviewsQuery.safeParse(query);

    expect(error?.issues[0]).toMatchObject({
      path: [field],
      message: expect.stringContaining(message),
    });
  });

  it('refuses another status without a batch, with the reason', () => {
    const { error } = ReviewsQuery.safeParse({ status: 'approved' });

    expect(error?.issues[0]).toMatchObject({
      path: ['status'],
      message: 'needs a batch or a label: without one, the list has pending versions only',
    });
  });

  it('leaves out a version that was decided since its row was written', async () => {
    await submit('late');
    await decidePackage(npm('late'), { to: 'rejected', by: 'ana', reason: 'no' }, writeContext());

    expect(await listNames()).not.toContain('late');
  });

  it('leaves out a version whose review state is lost, and lists the others', async () => {
    await submit('lost', { batch: 'lost' });
    await submit('next', { batch: 'lost' });
    await remove('reviews', { v: toVersionKey(npm('lost')), k: 'head' });

    expect(await listNames({ batch: 'lost' })).toEqual(['next']);
  });
});

describe('a list with wrong rows', () => {
  beforeAll(async () => {
    engine = await startEngine();
  });
  afterAll(() => engine.close());

  it('shows each version once, and only in its batches', async () => {
    await submit('right', { batch: 'shop' });
    const key = toVersionKey(npm('right'));
    const stray = { status: 'pending', submitted_by: null, submitter: 'ci' };
    await put('reviews', { v: '#pending', k: `2020-01-01T00:00:00.000Z#${key}`, ...stray });
    const { submitted_at } = await readReviewState(npm('right'));
    await put('reviews', { v: '#batch#till', k: `${submitted_at}#${key}`, ...stray });

    expect(await listNames()).toEqual(['right']);
    expect(await listNames({ batch: 'till' })).toEqual([]);
  });

  it('ends early where a later step exceeds the read budget, and continues from there', async () => {
    for (let at = 0; at < 60; at += 1) await submit(`lib-${at}`, { batch: 'large' });
    const first = await withReadBudget(() => list({ batch: 'large' }), 700);

    expect(first.reviews.length).toBeGreaterThan(0);
    const seen = first.reviews.map(({ name }) => name);
    const rest = await listAll({ batch: 'large', ...(first.next && { after: first.next }) });
    const names = [
      ...seen,
      ...(first.next ? rest.flatMap(({ reviews }) => reviews.map(({ name }) => name)) : []),
    ];
    expect(new Set(names).size).toBe(60);
    expect(names).toHaveLength(60);
  });
});

describe('a batch', () => {
  beforeAll(async () => {
    engine = await startEngine();
  });
  afterAll(() => engine.close());

  const readBatches = async (name: string) => (await readReviewState(npm(name))).batches;

  it('is joined once, by at most 20 names, and by pending versions alone', async () => {
    await submit('asked', { batch: 'first' });
    await submit('plain');
    await join('plain', 'later');
    expect(await readBatches('plain')).toEqual(['later']);

    for (const batch of ['first', 'second', 'second']) await join('asked', batch);
    expect(await readBatches('asked')).toEqual(['first', 'second']);

    for (let at = 0; at < maxBatches; at += 1) await join('asked', `more-${at}`);
    expect(await readBatches('asked')).toHaveLength(maxBatches);

    await submit('decided', { batch: 'first' });
    await decide('decided', 'rejected');
    await join('decided', 'second');
    expect(await readBatches('decided')).toEqual(['first']);
  });

  it('is joined by a version that another request submits at the same time', async () => {
    const submission = (batch: string) => Submission.parse({ ...npm('raced'), batch });

    const refusal = meanwhile(
      () => submitPackage(submission('winner'), writeContext()),
      () => submitPackage(submission('loser'), writeContext()),
    );

    await expect(refusal).rejects.toMatchObject({
      code: 'package_exists',
      message: expect.stringContaining('is now also in batch loser.'),
    });
    expect(await readBatches('raced')).toEqual(['winner', 'loser']);
  });

  it('of 755 versions takes few calls and units, and a filter looks at no more than 500 states', async () => {
    for (let at = 0; at < 755; at += 1) {
      const name = `lib-${String(at).padStart(3, '0')}`;
      const version = npm(name);
      const head = { ...(await readReviewState(npm('asked'))), ...version };
      const moment = new Date(Date.UTC(2026, 0, 1) + at).toISOString();
      const { ecosystem: _, ...fields } = head;
      const v = toVersionKey(version);
      await put('reviews', { ...fields, v, k: 'head', submitted_at: moment, batches: ['large'] });
      await indexReview(v);
    }
    const ask = (query: Readonly<Record<string, string>>) =>
      measure(() => withReadBudget(() => list({ batch: 'large', ...query })));

    const page = await ask({});
    const none = await ask({ severity: 'critical' });
    const fewer = await ask({ severity: 'critical', limit: '1' });
    const decided = await ask({ status: 'approved' });
    const all = await listAll({ batch: 'large' });

    // Two steps of 50 review states, the rows of one query, the freeze, and the pending updates.
    expect(page.result).toMatchObject({ looked_at: 100, complete: false });
    expect(page.calls).toBeLessThanOrEqual(7);
    expect(page.readUnits).toBeLessThanOrEqual(60);
    expect(none.result).toMatchObject({ reviews: [], looked_at: 500, complete: false });
    expect(none.readUnits).toBeLessThanOrEqual(300);
    expect(fewer.result).toMatchObject({ reviews: [], looked_at: 500, complete: false });
    // Rows alone answer for another status.
    expect(decided.result).toMatchObject({ reviews: [], looked_at: 755, complete: true });
    expect(decided.readUnits).toBeLessThanOrEqual(40);
    const names = all.flatMap(({ reviews }) => reviews.map(({ name }) => name));
    expect(new Set(names).size).toBe(755);
    expect(names).toHaveLength(755);
  });
});
