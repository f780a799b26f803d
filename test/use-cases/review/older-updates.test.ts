import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ReviewsQuery } from '../../../shared/api/schemas/reviews-query.ts';
import { toVersionKey } from '../../../shared/domain/packages/package-id.ts';
import type { SubmissionCause } from '../../../shared/domain/review/automatic-submission.ts';
import { createCatalogue } from '../../../shared/storage/catalogue/catalogue.ts';
import { oldestFirst } from '../../../shared/storage/catalogue/order.ts';
import { indexReview } from '../../../shared/storage/reviews/index-reviews.ts';
import { runDueWork } from '../../../shared/use-cases/due-work/run-due-work.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { listInFull } from '../../../shared/use-cases/review/list-in-full.ts';
import { listReviews } from '../../../shared/use-cases/review/list-reviews.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';
import { submitAutomatically } from '../../support/submit-automatically.ts';

const minuteMs = 60_000;

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const lodash = (version: string) => ({ ecosystem: 'npm', name: 'lodash', version }) as const;

const submit = async (version: string, cause?: SubmissionCause): Promise<void> => {
  if (!cause) await submitPackage(lodash(version), writeContext());
  else {
    const fixes = cause === 'security_fix' ? ['CVE-2026-1'] : [];
    const why = cause === 'install' ? { fingerprint: 'f'.repeat(64) } : { of: lodash('1.0.0') };
    await submitAutomatically(lodash(version), { cause, fixes, ...why });
  }
  await indexReview(toVersionKey(lodash(version)));
};

const decide = async (version: string, to: 'approved' | 'rejected'): Promise<void> => {
  await decidePackage(lodash(version), { to, by: 'ana', reason: 'a test' }, writeContext());
  await indexReview(toVersionKey(lodash(version)));
};

const list = (query: Readonly<Record<string, string>> = {}) =>
  listReviews(ReviewsQuery.parse(query), {
    rules: {},
    inquiries: { isScanning: false, isCollectingFacts: false },
    now: new Date(),
  });

/** The listed versions, each with the older updates that it replaces. */
const listVersions = async (query?: Readonly<Record<string, string>>) => {
  const { reviews, older_updates } = await list(query);
  const shown = reviews.map(({ version, older_updates: older }) => [version, ...older]);
  return { shown, older_updates };
};

const listFull = (query: object = {}) =>
  listInFull(
    createCatalogue(),
    { order: oldestFirst, limit: 100, offset: 0, status: 'pending', ...query },
    { rules: {}, now: new Date() },
  );

describe('pending updates of a package', () => {
  it('are one review, of the newest; after its decision of the next one', async () => {
    await submit('1.1.0', 'update');
    await submit('1.10.0', 'update');
    await submit('1.2.0', 'update');

    expect(await listVersions()).toEqual({
      shown: [['1.10.0', '1.1.0', '1.2.0']],
      older_updates: 2,
    });
    await decide('1.10.0', 'approved');
    expect(await listVersions()).toEqual({ shown: [['1.2.0', '1.1.0']], older_updates: 1 });
    await decide('1.2.0', 'rejected');
    expect(await listVersions()).toEqual({ shown: [['1.1.0']], older_updates: 0 });
  });

  it('have a review of the newest security fix besides the one of a newer update', async () => {
    await submit('1.1.0', 'security_fix');
    await submit('1.2.0', 'security_fix');
    await submit('1.3.0', 'update');

    expect((await listVersions()).shown).toEqual([['1.2.0', '1.1.0'], ['1.3.0']]);
    expect((await listVersions({ cause: 'security_fix' })).shown).toEqual([['1.2.0', '1.1.0']]);
    expect((await listVersions({ cause: 'update' })).shown).toEqual([['1.3.0']]);
    expect((await listVersions({ cause: 'install' })).shown).toEqual([]);
  });

  it('replace no version that a person, a dependency or an install asked for', async () => {
    await submit('1.1.0');
    await submit('1.2.0', 'dependency');
    await submit('1.3.0', 'install');
    await submit('1.4.0', 'update');

    const { shown } = await listVersions();

    expect(shown).toEqual([['1.1.0'], ['1.2.0'], ['1.3.0'], ['1.4.0']]);
  });

  it('replace no version whose approval ended', async () => {
    await submit('1.1.0', 'update');
    await submit('1.2.0', 'update');
    const expires_at = new Date(Date.now() + minuteMs).toISOString();
    await decidePackage(lodash('1.1.0'), { to: 'approved', by: 'ana', expires_at }, writeContext());
    const now = new Date(Date.now() + 2 * minuteMs);
    await runDueWork({ now, deadline: { remainingMs: () => minuteMs } });
    await indexReview(toVersionKey(lodash('1.1.0')));

    expect(await listVersions()).toEqual({ shown: [['1.1.0'], ['1.2.0']], older_updates: 0 });
  });

  it('are all in their batch, each with its newer version, and the reason of its submission', async () => {
    await submit('1.1.0', 'security_fix');
    await submit('1.2.0', 'security_fix');
    await submit('1.3.0', 'dependency');

    const { reviews, older_updates } = await list({ batch: 'updates' });

    expect(older_updates).toBe(0);
    expect(reviews.map(({ newer_update }) => newer_update)).toEqual(['1.2.0', null, null]);
    const of = lodash('1.0.0');
    expect(reviews.map(({ automatic }) => automatic)).toEqual([
      { cause: 'security_fix', of, fixes: ['CVE-2026-1'] },
      { cause: 'security_fix', of, fixes: ['CVE-2026-1'] },
      { cause: 'dependency', of, fixes: [] },
    ]);
  });

  it('are all in a full list, which counts those with a newer version', async () => {
    await submit('1.1.0', 'update');
    await submit('1.2.0', 'update');
    await submit('1.3.0');

    const { packages, ...page } = await listFull();

    expect(page).toEqual({ total: 3, older_updates: 1 });
    expect(packages).toMatchObject([
      { version: '1.1.0', newer_update: '1.2.0', older_updates: [] },
      { version: '1.2.0', newer_update: null, older_updates: ['1.1.0'] },
      { version: '1.3.0', newer_update: null, older_updates: [], automatic: null },
    ]);
    expect(await listFull({ ecosystem: 'pypi' })).toMatchObject({ total: 0, older_updates: 0 });
    expect(await listFull({ status: undefined })).not.toHaveProperty('older_updates');
    expect(await listFull({ status: 'approved' })).not.toHaveProperty('older_updates');
  });
});
