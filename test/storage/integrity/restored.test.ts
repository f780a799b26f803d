import { expect, it } from 'vitest';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import type { RecordItem } from '../../../shared/storage/decisions/records.ts';
import type { StoredItem } from '../../../shared/storage/dynamodb/table.ts';
import { listEvents } from '../../../shared/storage/events/events.ts';
import { appendEvents } from '../../../shared/storage/events/sequence.ts';
import { toItemKey } from '../../../shared/storage/packages/version-keys.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { commentPackage } from '../../../shared/use-cases/review/comment-package.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { listHistory } from '../../../shared/use-cases/review/list-history.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { beginEachWith } from '../../support/begin-each-with.ts';
import {
  approved,
  fillRegistry,
  nothing,
  pending,
  put,
  readAll,
  rejected,
  remove,
  runCheck,
} from './reviewed-registry.ts';

/** The integrity check after a restore: versions whose last record says something else than they do. */

const enoughTime = { remainingMs: () => 60_000 };
const later: PackageId = { ecosystem: 'npm', name: 'later', version: '1.0.0' };

beginEachWith(fillRegistry);

/** Returns a function that puts the table of versions back to what it is now. */
const backUp = async () => {
  const before = await readAll('packages');
  const keyOf = ({ name_key, version_key }: StoredItem) => ({
    name_key: String(name_key),
    version_key: String(version_key),
  });
  return async (): Promise<void> => {
    for (const item of await readAll('packages')) await remove('packages', keyOf(item));
    for (const item of before) await put('packages', item);
  };
};

const decide = (id: PackageId, to: 'approved' | 'rejected', expires_at?: string) =>
  decidePackage(id, { to, by: 'ana', reason: 'as read', expires_at }, writeContext());

const publish = async (): Promise<void> =>
  appendEvents((await readAll('decisions')) as unknown as RecordItem[], enoughTime);

const listRestored = async () => {
  await publish();
  const events = await listEvents(0, 100);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));
  return events
    .filter(({ type }) => type === 'package.restored')
    .map(({ name, from, to, expires_at, by }) => ({ name, from, to, expires_at, by }));
};

const restored = (name: string, from: string, to: string, expires_at: string | null = null) => ({
  ...{ name, from, to, expires_at, by: 'registry' },
});

it('adds an event for each change that a restore undid, with repair only and only once', async () => {
  const restore = await backUp();
  await decide(pending, 'approved');
  await decide(approved, 'rejected');
  await submitPackage({ ...later, license: 'MIT' }, writeContext());
  await publish();
  await restore();

  const reported = await runCheck(false);
  expect(reported.found).toMatchObject({ unrecorded_restore: 3 });
  expect(await listRestored()).toEqual([]);

  const repaired = await runCheck(true);
  expect(repaired.found).toMatchObject({ unrecorded_restore: 3 });
  expect(repaired.unjudged).toBe(0);
  const events = await listRestored();
  expect(events).toHaveLength(3);
  expect(events).toEqual(
    expect.arrayContaining([
      restored('pending', 'approved', 'pending'),
      restored('approved', 'rejected', 'approved'),
      restored('later', 'pending', 'unknown'),
    ]),
  );

  expect(await runCheck(true)).toMatchObject({ found: nothing, unjudged: 0 });
  expect(await listRestored()).toEqual(events);
});

it('finds a renewed approval whose former expiry is back, behind any number of comments', async () => {
  const restore = await backUp();
  const inAYear = new Date(Date.now() + 365 * 86_400_000).toISOString();
  await decide(approved, 'approved', inAYear);
  for (let at = 0; at < 60; at += 1) {
    await commentPackage(
      approved,
      { text: `comment ${at}` },
      { ...writeContext(), remember: () => [] },
    );
  }
  await restore();

  expect((await runCheck(true)).examples.filter((one) => one.startsWith('unrecorded'))).toEqual([
    `unrecorded_restore: npm approved 1.0.0 was approved until ${inAYear}, and is approved`,
  ]);
  expect(await listRestored()).toEqual([restored('approved', 'approved', 'approved')]);
});

it('lets a later decision follow the event, which the history has', async () => {
  const restore = await backUp();
  await decide(rejected, 'approved');
  await submitPackage({ ...later, license: 'MIT' }, writeContext());
  await restore();
  await runCheck(true);

  // The clock of this decision is behind that of the check.
  const behind = { ...writeContext(), now: new Date(Date.now() - 3_600_000) };
  await decidePackage(rejected, { to: 'approved', by: 'ana', reason: 'as read' }, behind);
  await submitPackage({ ...later, license: 'MIT' }, writeContext());

  const historyOf = async (id: PackageId) =>
    (await listHistory(id, { limit: 3 })).history.map(({ type, from, to }) => [type, from, to]);
  expect(await historyOf(rejected)).toEqual([
    ['package.approved', 'rejected', 'approved'],
    ['package.restored', 'approved', 'rejected'],
    ['package.approved', 'rejected', 'approved'],
  ]);
  expect(await historyOf(later)).toEqual([
    ['package.submitted', null, 'pending'],
    ['package.restored', 'pending', null],
    ['package.submitted', null, 'pending'],
  ]);
  expect(await runCheck(true)).toMatchObject({ found: { unrecorded_restore: 0 }, unjudged: 0 });
  const version = await findVersion(rejected);
  if (!version) throw new Error('There is no version');
  expect((await readReviewState(version)).at > behind.now.toISOString()).toBe(true);
});

it('repairs the others where the record of one cannot be read', async () => {
  const restore = await backUp();
  await decide(pending, 'approved');
  await decide(rejected, 'approved');
  await restore();
  const broken = await findVersion(pending);
  await put('packages', { ...broken, ...toItemKey(pending), status: 7 });

  const report = await runCheck(true);

  expect(report.unjudged).toBeGreaterThan(0);
  expect(await listRestored()).toEqual([restored('rejected', 'approved', 'rejected')]);
});
