import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UpstreamRelease } from '../../../shared/domain/packages/upstream-release.ts';
import type { ListedReleases } from '../../../shared/ecosystems/origin-client.ts';
import type { SubmissionRequest } from '../../../shared/platform/worker/events/submission-request.ts';
import { findNewestVersions } from '../../../shared/storage/packages/find-versions.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { withLease } from '../../../shared/storage/quotas/lease.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { expirePackage } from '../../../shared/use-cases/review/expire-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { submitRequested } from '../../../shared/use-cases/submissions/submit-requested.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { startEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const name = 'left-pad';
const now = new Date();
const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();

const release = (version: string, days = 400): UpstreamRelease => ({
  ...{ version, published_at: daysAgo(days), isWithdrawn: false },
});

const answered = (...releases: readonly UpstreamRelease[]): ListedReleases => ({
  ...{ outcome: 'answered', releases, firstPublishedAt: daysAgo(1000) },
});

const request = (some: Partial<SubmissionRequest> = {}): SubmissionRequest => ({
  ...{ ecosystem: 'npm', name, version: '1.1.0', range: null, cause: 'update' },
  ...{ of: { ecosystem: 'npm', name, version: '1.0.0' }, fixes: [], root: null, by: null },
  ...some,
});

const ci = { label: 'ci', fingerprint: '0123456789abcdef' };
const install = (some: Partial<SubmissionRequest> = {}): SubmissionRequest =>
  request({ version: null, cause: 'install', of: null, by: ci, ...some });

/** Handles some messages as the worker does. Returns the messages that are delivered again. */
const handle = async (
  requests: readonly object[],
  {
    listed = answered(release('1.1.0')),
    asked = [] as string[],
    ...settings
  }: {
    listed?: ListedReleases;
    asked?: string[];
    updatesPerDay?: number;
    days?: number;
    fourEyes?: boolean;
    delivery?: number;
  } = {},
): Promise<readonly string[]> => {
  const { days = 7, updatesPerDay = 1000, fourEyes = false, delivery = 1 } = settings;
  const { catalogue, deadline } = writeContext();
  const Records = requests.map((body, at) => ({
    ...{ messageId: String(at), body: JSON.stringify(body) },
    attributes: { ApproximateReceiveCount: String(delivery) },
  }));
  const client = {
    listReleases: async (id: { name: string }) => {
      asked.push(id.name);
      return listed;
    },
  };
  const ages = { policy: { rules: [] }, minimumAgeDays: days };
  const own = [{ ecosystem: 'npm', pattern: '@acme/*' } as const];
  const { batchItemFailures } = await submitRequested(
    { Records },
    {
      ...{ client, ages, own, updatesPerDay, submissionsPerDay: 0, fourEyes },
      ...{ catalogue, now, deadline },
    },
  );
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
};

const listVersions = async (of = name): Promise<string[]> =>
  (await findNewestVersions({ ecosystem: 'npm', name: of }, 100)).map(({ version }) => version);

describe('a requested update', () => {
  it('is submitted by the registry into the batch of updates, once', async () => {
    const asked: string[] = [];

    expect(await handle([request(), request()], { asked })).toEqual([]);

    const id = { ecosystem: 'npm', name, version: '1.1.0' } as const;
    expect(await findVersion(id)).toMatchObject({
      ...{ status: 'pending', submitted_by: 'registry', submitted_token_label: null },
      justification: 'Update of npm:left-pad@1.0.0, which is approved.',
    });
    expect(await readReviewState(id)).toMatchObject({
      batches: ['updates'],
      automatic: { cause: 'update', of: { version: '1.0.0' }, fixes: [], fingerprint: null },
    });
    // The collection of upstream metadata has seen the version in the list.
    expect(asked).toEqual([]);
  });

  it('waits with at most two others of its package, and a security fix with three', async () => {
    const versions = ['1.1.0', '1.2.0', '1.3.0', '1.4.0'];
    await handle(versions.map((version) => request({ version })));
    expect(await listVersions()).toEqual(['1.3.0', '1.2.0', '1.1.0']);

    const fixes = ['CVE-2026-1'];
    await handle(
      ['1.5.0', '1.6.0'].map((version) => request({ version, cause: 'security_fix', fixes })),
    );
    expect(await listVersions()).toEqual(['1.5.0', '1.3.0', '1.2.0', '1.1.0']);
    expect(await findVersion({ ecosystem: 'npm', name, version: '1.5.0' })).toMatchObject({
      justification: 'Security fix: ends CVE-2026-1 of npm:left-pad@1.0.0, which is approved.',
    });
  });

  it('does not count versions of people, and makes room after a decision', async () => {
    for (const version of ['0.1.0', '0.2.0', '0.3.0']) {
      await submitPackage({ ecosystem: 'npm', name, version }, writeContext());
    }
    await handle(['1.1.0', '1.2.0', '1.3.0', '1.4.0'].map((version) => request({ version })));
    expect(await listVersions()).not.toContain('1.4.0');

    const item = { ecosystem: 'npm', name, version: '1.1.0' } as const;
    await decidePackage(item, { to: 'rejected', by: 'ann', reason: 'No' }, writeContext());
    await handle([request({ version: '1.4.0' })]);
    expect(await listVersions()).toContain('1.4.0');
  });

  it('does not wait with approvals that have expired', async () => {
    const versions = ['1.1.0', '1.2.0', '1.3.0'];
    await handle(versions.map((version) => request({ version })));
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const decision = { to: 'approved', by: 'ann', reason: 'Looked at', expires_at } as const;
    for (const version of versions) {
      const id = { ecosystem: 'npm', name, version } as const;
      await decidePackage(id, { ...decision, override: true }, writeContext());
      const item = await findVersion(id);
      if (item) await expirePackage(item, writeContext());
      expect(await findVersion(id)).toMatchObject({ status: 'pending' });
    }

    await handle([request({ version: '1.4.0' })]);

    expect(await listVersions()).toContain('1.4.0');
  });

  it.each([
    [10, 8],
    [4, 3],
    [2, 1],
  ])(
    'leaves a fifth of the day to security fixes: of %i updates, %i are others',
    async (updatesPerDay, others) => {
      const names = Array.from({ length: 10 }, (_, at) => `name-${at}`);
      const submitted = async () =>
        (await Promise.all(names.map((one) => listVersions(one)))).flat().length;

      await handle(
        names.map((one) => request({ name: one })),
        { updatesPerDay },
      );
      expect(await submitted()).toBe(others);

      await handle(
        names.map((one) => request({ name: one, version: '1.2.0', cause: 'security_fix' })),
        { updatesPerDay },
      );
      expect(await submitted()).toBe(updatesPerDay);
    },
  );

  it('becomes a security fix when a vulnerability becomes known while it waits', async () => {
    const id = { ecosystem: 'npm', name, version: '1.1.0' } as const;
    const fix = request({ cause: 'security_fix', fixes: ['CVE-2026-1'] });
    await handle([request()]);

    expect(await handle([fix, fix])).toEqual([]);

    expect(await findVersion(id)).toMatchObject({
      ...{ revision: 0, automatic: { cause: 'security_fix', fixes: ['CVE-2026-1'] } },
      justification: 'Security fix: ends CVE-2026-1 of npm:left-pad@1.0.0, which is approved.',
    });
    expect((await readReviewState(id)).automatic?.cause).toBe('security_fix');

    await decidePackage(id, { to: 'rejected', by: 'ann', reason: 'No' }, writeContext());
    await handle([request({ cause: 'security_fix', fixes: ['CVE-2026-2'] })]);
    expect((await readReviewState(id)).automatic?.fixes).toEqual(['CVE-2026-1']);
  });

  it('leads to at most 100 dependencies in a day', async () => {
    const of = { ecosystem: 'npm', name, version: '1.1.0' } as const;
    const dependencies = Array.from({ length: 102 }, (_, at) =>
      request({ name: `needed-${at}`, version: '1.0.0', cause: 'dependency', of, root: 'npm:a@1' }),
    );
    await handle(dependencies);
    expect(await listVersions('needed-99')).toEqual(['1.0.0']);
    expect(await listVersions('needed-100')).toEqual([]);

    await handle([request({ name: 'needed-101', cause: 'dependency', of, root: 'npm:b@1' })]);
    expect(await listVersions('needed-101')).toEqual(['1.1.0']);
  });

  it('is delivered again while another worker submits a version of the package', async () => {
    const spelled = request({ ecosystem: 'pypi', name: 'Left_Pad' });
    const failed = await withLease('npm#left-pad', () => handle([request()]));
    const other = await withLease('pypi#left-pad', () => handle([spelled]));

    expect([failed, other]).toEqual([['0'], ['0']]);
    expect(await listVersions()).toEqual([]);
    expect(await handle([request()])).toEqual([]);
    expect(await listVersions()).toEqual(['1.1.0']);
  });
});

describe('a version that an install asked for', () => {
  it('is the newest one that is old enough, and counts as submitted by its token', async () => {
    const listed = answered(release('1.1.0'), release('1.2.0', 30), release('1.3.0', 2));

    await handle([install()], { listed });

    expect(await listVersions()).toEqual(['1.2.0']);
    expect(await findVersion({ ecosystem: 'npm', name, version: '1.2.0' })).toMatchObject({
      ...{ submitted_by: 'ci', submitted_token_label: 'ci' },
      submitter_fingerprint: ci.fingerprint,
    });
  });

  it.each<[string, Partial<SubmissionRequest>, string[]]>([
    ['of the registry', { range: '^1.0.0', cause: 'dependency' }, ['1.2.0']],
    ['in another range', { range: '~1.1.0', cause: 'dependency' }, ['1.1.0', '1.2.0']],
    ['of any version', {}, ['1.2.0']],
    ['that is exact', { version: '1.1.0' }, ['1.1.0', '1.2.0']],
  ])('is not submitted if a version %s suffices', async (_, some, expected) => {
    await submitPackage({ ecosystem: 'npm', name, version: '1.2.0' }, writeContext());

    await handle([install(some)], { listed: answered(release('1.1.0'), release('1.2.0')) });

    expect((await listVersions()).toSorted()).toEqual(expected);
  });

  it.each<[string, ListedReleases]>([
    ['unknown upstream', { outcome: 'unknown_name' }],
    ['unreadable upstream', { outcome: 'failed', reason: 'garbage', passing: false }],
    ['without releases', answered()],
    ['withdrawn', answered({ ...release('1.1.0'), isWithdrawn: true })],
    [
      'first published six days ago',
      { outcome: 'answered', releases: [release('1.1.0', 6)], firstPublishedAt: daysAgo(6) },
    ],
    [
      'of unknown age',
      { outcome: 'answered', releases: [release('1.1.0')], firstPublishedAt: null },
    ],
  ])('is not submitted if it is %s', async (_, listed) => {
    expect(await handle([install()], { listed })).toEqual([]);
    expect(await listVersions()).toEqual([]);
  });

  it('needs a token with a label if submitters need one, unlike an update', async () => {
    const by = { ...ci, label: null };

    expect(await handle([install({ by })], { fourEyes: true })).toEqual([]);
    expect(await listVersions()).toEqual([]);

    await handle([install()], { fourEyes: true });
    await handle([request({ version: '1.2.0' })], { fourEyes: true });
    expect(await listVersions()).toEqual(['1.2.0', '1.1.0']);
  });

  it('is not tried again while the origin is away, in contrast to a dependency', async () => {
    const listed = { outcome: 'failed', reason: 'it is away', passing: true } as const;
    const dependency = install({ cause: 'dependency', range: '*' });

    expect(await handle([install(), dependency], { listed })).toEqual(['1']);
  });

  it('counts once, however often an unavailable origin has it delivered', async () => {
    const listed = { outcome: 'failed', reason: 'it is away', passing: true } as const;
    const many = Array.from({ length: 299 }, (_, at) => install({ name: `name-${at}` }));
    await handle(many, { listed });
    await handle(many, { listed, delivery: 2 });

    await handle([install()]);
    expect(await listVersions()).toEqual(['1.1.0']);

    await handle([install({ name: 'beyond' })]);
    expect(await listVersions('beyond')).toEqual([]);
  });

  it('costs the sender of a flood its own quota alone', async () => {
    const flood = Array.from({ length: 305 }, (_, at) => install({ name: `flood-${at}` }));
    const asked: string[] = [];

    await handle(flood, { listed: { outcome: 'unknown_name' }, asked });
    expect(asked).toHaveLength(300);

    const other = { label: 'shop', fingerprint: 'fedcba9876543210' };
    await handle([install(), install({ by: other })]);
    expect(await findNewestVersions({ ecosystem: 'npm', name }, 10)).toMatchObject([
      { submitted_token_label: 'shop' },
    ]);
  });
});

it('requests nothing about own packages, and drops what is no request', async () => {
  const asked: string[] = [];

  const requests = [install({ name: '@acme/shop' }), request({ name: '@acme/shop' }), {}, 1];
  expect(await handle(requests, { asked })).toEqual([]);

  expect(asked).toEqual([]);
  expect(await listVersions('@acme/shop')).toEqual([]);
});
