import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import { type PackageId, toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { toScanResult } from '../../../shared/domain/vulnerabilities/scan-result.ts';
import { pack } from '../../../shared/storage/dynamodb/pack.ts';
import type { StoredItem } from '../../../shared/storage/dynamodb/table.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { type DueItem, makeExpiryRow } from '../../../shared/storage/reviews/due.ts';
import { isReviewsPartition } from '../../../shared/storage/reviews/review-lists.ts';
import { readReviewState, toReviewStateKey } from '../../../shared/storage/reviews/review-state.ts';
import { runDueWork } from '../../../shared/use-cases/due-work/run-due-work.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { saveScan } from '../../../shared/use-cases/scanning/keep-scan.ts';
import { scanContext, writeContext } from '../../capacity/write-context.ts';
import { beginEachWith } from '../../support/begin-each-with.ts';
import {
  approved,
  expired,
  expiring,
  fillRegistry,
  indexReviews,
  nothing,
  pending,
  prefixed,
  put,
  readAll,
  rejected,
  remove,
  runCheck,
  scanned,
} from './reviewed-registry.ts';

type Counts = Readonly<Record<string, number>>;

const countAll = (found: Counts): number =>
  Object.values(found).reduce((sum, count) => sum + count, 0);

const readDueRow = async (id: PackageId): Promise<DueItem> => {
  const version = await findVersion(id);
  const row = version && makeExpiryRow(version, version.revision);
  if (!row) throw new Error(`${id.name} does not expire`);
  return row;
};

const changeHead =
  (id: PackageId, changes: object): (() => Promise<unknown>) =>
  async () =>
    put('reviews', { ...(await readReviewState(id)), ...changes });

const changeDueRow =
  (changes: object): (() => Promise<unknown>) =>
  async () =>
    put('reviews', { ...(await readDueRow(expiring)), ...changes });

const head = {
  status: 'pending',
  revision: 0,
  evidence_revision: 0,
  at: '2026-01-01T00:00:00.000Z',
};

/** What of the table must be as it was before the damage: all but how often evidence came, and when origins are asked. */
const withoutEvidence = (items: readonly StoredItem[]): StoredItem[] =>
  items
    .filter(({ v }) => !isReviewsPartition(String(v)))
    .map(({ evidence_revision: _, refresh_at: __, refresh_in: ___, ...item }) => item)
    .sort((a, b) => (String(a['v']) + String(a['k']) < String(b['v']) + String(b['k']) ? -1 : 1));

beginEachWith(fillRegistry);

describe('the integrity check of heads and due rows', () => {
  it('finds nothing wrong where a scan made place for another one', async () => {
    const context = { ...scanContext(), mayReview: true };
    const at = { policy: context.policy, now: context.now };
    const tools = Array.from({ length: 11 }, (_, index) => `tool-${index}`);

    for (const tool of tools) {
      await saveScan(pending, toScanResult(pending, { tools: [tool], findings: [] }, at), context);
    }

    expect((await readReviewState(pending)).sources.map((source) => source.tools[0])).toEqual(
      tools.slice(1),
    );
    expect((await runCheck(false)).found).toEqual(nothing);
  });

  it('finds nothing where nothing is wrong, and changes nothing', async () => {
    const before = await readAll('reviews');

    const report = await runCheck(true);

    expect(report).toMatchObject({ done: true, found: nothing, repaired: 0, unjudged: 0 });
    expect(report.checked).toMatchObject({ versions: 7, reviews: 9, records: 12 });
    expect(await readAll('reviews')).toEqual(before);
  });

  const damages: [string, IntegrityReport['found'], () => Promise<unknown>][] = [
    ['a lost head', { wrong_review_state: 1 }, () => remove('reviews', toReviewStateKey(expired))],
    [
      'heads that are lost',
      { wrong_review_state: 2 },
      () => Promise.all([pending, prefixed].map((id) => remove('reviews', toReviewStateKey(id)))),
    ],
    ['another status', { wrong_review_state: 1 }, changeHead(approved, { status: 'rejected' })],
    ['another revision', { wrong_review_state: 1 }, changeHead(rejected, { revision: 7 })],
    [
      'another cause',
      { wrong_review_state: 1 },
      changeHead(pending, {
        automatic: { cause: 'dependency', of: null, fixes: [], fingerprint: null },
      }),
    ],
    ['another end', { wrong_review_state: 1 }, changeHead(expiring, { expires_at: null })],
    [
      'another license',
      // The row of the list of versions with the license before.
      { wrong_review_state: 1, orphaned_review_row: 1 },
      changeHead(scanned, { license: 'AGPL-3.0-only' }),
    ],
    ['another reason', { wrong_review_state: 1 }, changeHead(rejected, { reason: null })],
    ['a source that is forgotten', { wrong_review_state: 1 }, changeHead(scanned, { sources: [] })],
    ['scans that are forgotten', { wrong_review_state: 1 }, changeHead(scanned, { scans: 1 })],
    [
      'a scan that there is none of',
      { wrong_review_state: 1 },
      async () => changeHead(pending, { sources: (await readReviewState(scanned)).sources })(),
    ],
    [
      'an earlier scan',
      { wrong_review_state: 1 },
      async () => {
        const { sources } = await readReviewState(scanned);
        return changeHead(scanned, {
          sources: sources.map((source) => ({ ...source, number: 1 })),
        })();
      },
    ],
    [
      'a time before the last decision',
      { wrong_review_state: 1 },
      changeHead(approved, { at: '2026-01-01T00:00:00.000Z' }),
    ],
    ['a time that is none', { wrong_review_state: 1 }, changeHead(expired, { at: null })],
    [
      'evidence that is no number',
      { wrong_review_state: 1 },
      changeHead(scanned, { evidence: 'much' }),
    ],
    ['another submitter', { wrong_review_state: 1 }, changeHead(scanned, { submitter: 'mallory' })],
    ['what no head has', { wrong_review_state: 1 }, changeHead(scanned, { colour: 'red' })],
    [
      'a head of a version that is not there',
      { orphaned_review_state: 1 },
      () => put('reviews', { ...head, ...toReviewStateKey({ ...pending, name: 'nobody' }) }),
    ],
    [
      'a head of what can be no version',
      { orphaned_review_state: 1 },
      () => put('reviews', { ...head, v: 'cpan#Moose#1.0', k: 'head' }),
    ],
    [
      'release details of a version that is not there',
      { orphaned_details: 1 },
      () => put('reviews', { v: 'npm#nobody#1.0.0', k: 'details#x', details: pack({}) }),
    ],
    [
      'a lost due row',
      { missing_due_row: 1 },
      async () => {
        const { v, k } = await readDueRow(expiring);
        return remove('reviews', { v, k });
      },
    ],
    ['a due row of another kind', { missing_due_row: 1 }, changeDueRow({ kind: 'nothing' })],
    ['a due row of another version', { missing_due_row: 1 }, changeDueRow({ name: 'nobody' })],
    [
      'a due row at another time',
      { orphaned_due_row: 1 },
      changeDueRow({ k: `2026-01-01T00:00:00.000Z#expiry#${toVersionKey(expiring)}` }),
    ],
    [
      'a due row of a version that holds for ever',
      { orphaned_due_row: 1 },
      changeDueRow({ k: `2026-01-01T00:00:00.000Z#expiry#${toVersionKey(approved)}` }),
    ],
    [
      'a due row of a version that is not there',
      { orphaned_due_row: 1 },
      changeDueRow({ k: '2026-01-01T00:00:00.000Z#expiry#npm#nobody#1.0.0' }),
    ],
    ['a due row of nothing', { orphaned_due_row: 1 }, changeDueRow({ k: 'some day' })],
  ];

  it.each(damages)('finds %s, and repairs it only on request', async (_, found, damage) => {
    const before = withoutEvidence(await readAll('reviews'));
    await damage();
    await indexReviews();
    const damaged = await readAll('reviews');

    const reported = await runCheck(false);
    const untouched = await readAll('reviews');
    const repaired = await runCheck(true);

    expect(reported.found).toEqual({ ...nothing, ...found });
    expect(untouched).toEqual(damaged);
    // Without the index worker, the check itself brings the lists of reviews up to date.
    const countOthers = ({ wrong_review_list, orphaned_review_row, ...others }: Counts): number =>
      countAll(others);
    const ofLists = countAll(repaired.found) - countOthers(repaired.found);
    expect(repaired.repaired - ofLists).toBe(countOthers(found));
    expect(await runCheck(false)).toMatchObject({ done: true, found: nothing, unjudged: 0 });
    expect(withoutEvidence(await readAll('reviews'))).toEqual(before);
  });

  it('has whoever is about to decide look again at what it repaired', async () => {
    const { evidence_revision: revision } = await readReviewState(scanned);
    await changeHead(scanned, { sources: [] })();

    await runCheck(true);

    expect((await readReviewState(scanned)).evidence_revision).toBe(revision + 1);
  });

  it('has versions expire that had lost what would have them do so', async () => {
    const { v, k } = await readDueRow(expiring);
    await remove('reviews', { v, k });
    await remove('reviews', toReviewStateKey(expiring));

    await runCheck(true);
    const inADay = new Date(Date.now() + 24 * 60 * 60_000);
    await runDueWork({ now: inADay, deadline: { remainingMs: () => 60_000 } });

    expect(await findVersion(expiring)).toMatchObject({ status: 'pending', revision: 2 });
    expect(await runCheck(false)).toMatchObject({ found: nothing });
  });

  it('judges nothing while it changes', async () => {
    let isDone = false;
    const decide = async (): Promise<void> => {
      for (let at = 0; !isDone; at += 1) {
        const expires_at = new Date(Date.now() + 1e7 + at).toISOString();
        const approval = { to: 'approved', by: 'ana', expires_at } as const;
        await decidePackage(expiring, approval, writeContext());
        await nextTurn();
      }
    };
    const deciding = decide();

    for (let at = 0; at < 5; at += 1) {
      const { found } = await runCheck(true);
      // No index worker follows the decisions.
      expect({ ...found, wrong_review_list: 0 }).toEqual(nothing);
    }
    isDone = true;
    await deciding;

    expect(await runCheck(false)).toMatchObject({ found: nothing, unjudged: 0 });
  });
});
