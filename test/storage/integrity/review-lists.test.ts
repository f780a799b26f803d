import { describe, expect, it } from 'vitest';
import type { IntegrityReport } from '../../../shared/api/schemas/integrity.ts';
import { IntegrityReport as Report } from '../../../shared/api/schemas/integrity.ts';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import { defaultLayout } from '../../../shared/storage/catalogue/layout.ts';
import { checkIntegrity } from '../../../shared/storage/integrity/check-integrity.ts';
import { listBatches } from '../../../shared/storage/reviews/batch-list.ts';
import { isReviewsPartition } from '../../../shared/storage/reviews/review-lists.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { beginEachWith } from '../../support/begin-each-with.ts';
import {
  approved,
  fillRegistry,
  indexReviews,
  nothing,
  put,
  readAll,
  remove,
} from './reviewed-registry.ts';

const update = { ecosystem: 'npm', name: 'update', version: '2.0.0' } as const;
const inBatch = { ecosystem: 'npm', name: 'in-batch', version: '1.0.0' } as const;

beginEachWith(async () => {
  await fillRegistry();
  await submitPackage({ ...inBatch, batch: 'shop' }, writeContext());
  const automatic = {
    cause: 'update',
    of: approved,
    fixes: [],
    fingerprint: null,
    root: null,
  } as const;
  await submitPackage({ ...update, batch: 'updates' }, writeContext(), { automatic });
  await indexReviews();
});

const check = (repair: boolean): Promise<IntegrityReport> =>
  checkIntegrity(Report.parse({ repair }), defaultLayout, { remainingMs: () => 60_000 });

const readRows = async () =>
  (await readAll('reviews')).filter(({ v }) => isReviewsPartition(String(v)));

/** @throws {Error} if there is no such row */
const findRow = async (v: string, name: string) => {
  const rows = await readRows();
  const row = rows.find((one) => one['v'] === v && String(one['k']).includes(`#${name}#`));
  if (!row) throw new Error(`There is no row of ${name} in ${v}`);
  return row;
};

const toKey = (row: Readonly<Record<string, unknown>>) => ({ v: row['v'], k: row['k'] }) as never;

const lose = (v: string, name: string) => async () =>
  remove('reviews', toKey(await findRow(v, name)));

const stray = { status: 'pending', submitted_by: null, submitter: null };
const moment = '2026-01-01T00:00:00.000Z';

const damages: readonly [string, Partial<IntegrityReport['found']>, () => Promise<unknown>][] = [
  ['a lost row of a pending version', { wrong_review_list: 1 }, lose('#pending', 'in-batch')],
  ['a lost row of an update', { wrong_review_list: 1 }, lose('#updates', 'update')],
  ['a lost row of a batch', { wrong_review_list: 1 }, lose('#batch#shop', 'in-batch')],
  [
    'a row with another status',
    { wrong_review_list: 1 },
    async () =>
      put('reviews', { ...(await findRow('#batch#shop', 'in-batch')), status: 'rejected' }),
  ],
  [
    'a row of another batch',
    { orphaned_review_row: 1 },
    async () => put('reviews', { ...(await findRow('#batch#shop', 'in-batch')), v: '#batch#till' }),
  ],
  [
    'a row of a decided version',
    { orphaned_review_row: 1 },
    () => put('reviews', { v: '#pending', k: `${moment}#${toVersionKey(approved)}`, ...stray }),
  ],
  [
    'a row of an update that a request submitted',
    { orphaned_review_row: 1 },
    () => put('reviews', { v: '#updates', k: `#${toVersionKey(inBatch)}`, ...stray }),
  ],
  [
    'a row of a version that does not exist',
    { orphaned_review_row: 1 },
    () => put('reviews', { v: '#pending', k: `${moment}#npm#nobody#1.0.0`, ...stray }),
  ],
];

describe('the integrity check of lists of reviews', () => {
  it('finds nothing wrong in right lists, and changes nothing', async () => {
    const before = await readRows();

    expect(await check(true)).toMatchObject({ found: nothing, repaired: 0, unjudged: 0 });

    expect(await readRows()).toEqual(before);
    expect(before.map(({ v }) => v)).toContain('#batch#shop');
  });

  it('lists the batches of a version whose rows it repairs', async () => {
    await lose('#batch#shop', 'in-batch')();
    const list = async () => (await listBatches({ limit: 10 })).batches;
    const before = await list();

    await check(true);

    const submitted_on = new Date().toISOString().slice(0, '2026-01-01'.length);
    expect(before).toEqual([]);
    expect(await list()).toEqual([{ batch: 'shop', submitted_on }]);
  });

  it.each(damages)('finds %s, and repairs it on request only', async (_, found, damage) => {
    const before = await readRows();
    await damage();

    const seen = await check(false);
    const repaired = await check(true);

    expect(seen).toMatchObject({ found: { ...nothing, ...found }, repaired: 0 });
    expect(repaired).toMatchObject({ repaired: 1, unjudged: 0 });
    expect(await check(false)).toMatchObject({ found: nothing });
    expect(await readRows()).toEqual(before);
  });
});
