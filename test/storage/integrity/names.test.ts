import { expect, it } from 'vitest';
import { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import { defaultLayout } from '../../../shared/storage/catalogue/layout.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { toApprovedName } from '../../../shared/storage/packages/approved-names.ts';
import { beginEachWith } from '../../support/begin-each-with.ts';
import { readReviews } from '../../use-cases/vulnerability-index/accepted-registry.ts';
import { approved, fillRegistry, nothing, put, remove } from './reviewed-registry.ts';

beginEachWith(fillRegistry);

/** Runs the check alone: the index worker would write a lost row first. */
const runCheck = (repair: boolean): Promise<IntegrityReport> =>
  checkIntegrity(IntegrityReport.parse({ repair }), defaultLayout, { remainingMs: () => 60_000 });

const readNames = async () =>
  (await readReviews()).filter(({ v }) => String(v).startsWith('#name#npm#'));

const row = toApprovedName(approved);
const stranger = toApprovedName({ ecosystem: 'npm', name: 'stranger' });

it('finds nothing wrong in right rows, and changes nothing', async () => {
  const before = await readNames();

  expect(await runCheck(true)).toMatchObject({ found: nothing, repaired: 0, unjudged: 0 });

  expect(await readNames()).toEqual(before);
  expect(before).toContainEqual(row);
});

const damages: readonly [string, Partial<IntegrityReport['found']>, () => Promise<unknown>][] = [
  ['a lost row', { missing_approved_name: 1 }, () => remove('reviews', { ...row })],
  [
    'a row under the letters of another name',
    { orphaned_approved_name: 1 },
    () => put('reviews', { ...row, v: '#name#npm#abc' }),
  ],
  [
    'a row with another length',
    { orphaned_approved_name: 1 },
    () => put('reviews', { ...row, k: '099#approved' }),
  ],
  [
    'a row of a package that nobody ever submitted',
    { orphaned_approved_name: 1 },
    () => put('reviews', stranger),
  ],
  [
    'a row of no ecosystem',
    { orphaned_approved_name: 1 },
    () => put('reviews', { ...row, v: '#name#?#abc' }),
  ],
];

it.each(damages)('finds %s, and repairs it on request only', async (_, found, damage) => {
  const before = await readNames();
  await damage();

  const seen = await runCheck(false);
  const repaired = await runCheck(true);

  expect(seen).toMatchObject({ found: { ...nothing, ...found }, repaired: 0 });
  expect(repaired).toMatchObject({ repaired: 1, unjudged: 0 });
  expect(await runCheck(false)).toMatchObject({ found: nothing });
  expect(await readNames()).toEqual(before);
});
