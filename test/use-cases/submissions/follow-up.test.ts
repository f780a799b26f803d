import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CollectedRelease } from '../../../shared/domain/facts/collected-facts.ts';
import { noFacts } from '../../../shared/domain/facts/facts.ts';
import type { Reach } from '../../../shared/domain/packages/reach.ts';
import type { UpstreamRelease } from '../../../shared/domain/packages/upstream-release.ts';
import type { AutomaticSubmission } from '../../../shared/domain/review/automatic-submission.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { saveApprovedName } from '../../../shared/storage/packages/approved-names.ts';
import { listDueRefreshes } from '../../../shared/storage/reviews/due-refreshes.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { findDependencyRequests } from '../../../shared/use-cases/submissions/follow-dependencies.ts';
import { findUpdates } from '../../../shared/use-cases/submissions/follow-updates.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { scanItself } from '../policy/policy-registry.ts';
import { npm, scan } from '../vulnerability-index/accepted-registry.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const now = new Date();
const daysAgo = (days: number): string => new Date(now.getTime() - days * 86_400_000).toISOString();
const release = (version: string, days = 400): UpstreamRelease => ({
  ...{ version, published_at: daysAgo(days), isWithdrawn: false },
});

const id = npm('left-pad');

const submit = (version: string, automatic?: AutomaticSubmission) =>
  submitPackage({ ...id, version }, writeContext(), { ...(automatic && { automatic }) });
const decide = (version: string, to: 'approved' | 'rejected') =>
  decidePackage(
    { ...id, version },
    { to, by: 'ann', reason: 'Looked at', override: true },
    writeContext(),
  );

const collected = (releases: readonly UpstreamRelease[]): CollectedRelease => ({
  facts: { ...noFacts, found: 'yes', reason: null, name_found: true },
  ...{ manifest: null, releases },
});

/** Returns the updates of version 1.0.0 as `cause version`. */
const follow = async (
  releases: readonly UpstreamRelease[],
  { reach = 'minor' as Reach, days = 7 } = {},
): Promise<string[]> => {
  const head = await readReviewState(id);
  const ages = { policy: { rules: [] }, minimumAgeDays: days };
  const context = { reach, ages, policy: defaultScanPolicy, now };
  const requests = await findUpdates(id, head, collected(releases), context);
  return requests.map(({ cause, version, fixes }) => [cause, version, ...fixes].join(' '));
};

describe('the updates of an approved version', () => {
  beforeEach(async () => {
    await submit('1.0.0');
    await decide('1.0.0', 'approved');
  });

  it('are the newest one in reach, and the newest one that is old enough', async () => {
    const releases = ['1.0.1', '1.1.0', '2.0.0'].map((version) => release(version));
    const some = [...releases, release('1.2.0', 2), release('1.3.0-rc.1')];

    expect(await follow(some)).toEqual(['update 1.2.0', 'update 1.1.0', 'update 1.0.1']);
    expect(await follow(some, { reach: 'patch' })).toEqual(['update 1.0.1']);
    expect(await follow(some, { reach: 'major' })).toEqual(['update 2.0.0', 'update 1.0.1']);
    expect(await follow(some, { days: 0 })).toEqual(['update 1.2.0', 'update 1.0.1']);
  });

  it('leave out what the registry has', async () => {
    await submit('1.2.0');
    await submit('1.1.0');
    await decide('1.1.0', 'rejected');

    const releases = [release('1.0.5'), release('1.1.0'), release('1.2.0', 2)];
    expect(await follow(releases)).toEqual(['update 1.0.5']);
  });

  it('cost no call without a newer version in reach, and one call with one', async () => {
    const none = await measure(() => follow([release('1.0.0'), release('2.0.0')]));
    const one = await measure(() => follow([release('1.0.0'), release('1.1.0')]));

    // The first read of both is that of the review state.
    expect(none.calls).toBe(1);
    expect(one.calls).toBe(2);
  });

  it('are security fixes if they end all failures of the scans', async () => {
    const found = (fix: string, id = 'CVE-2026-1') => ({ id, fixedVersions: [fix] });
    await scan(id, [found('1.1.0')]);
    const releases = [release('1.0.9'), release('1.1.2', 1)];

    expect(await follow(releases)).toEqual(['security_fix 1.1.2 CVE-2026-1', 'update 1.0.9']);

    await scan(id, [found('1.1.0'), found('1.2.0', 'CVE-2026-2')]);
    expect(await follow(releases)).toEqual(['update 1.1.2', 'update 1.0.9']);
  });

  it('are security fixes also if they are pending already, as long as no upload alone says so', async () => {
    await submit('1.1.0');
    await scan(id, [{ id: 'CVE-2026-9', fixedVersions: ['1.1.0'] }], 'uploaded-tool');
    expect(await follow([release('1.1.0')])).toEqual([]);

    await scan(id, [{ id: 'CVE-2026-1', fixedVersions: ['1.1.0'] }]);
    expect(await follow([release('1.1.0')])).toEqual(['security_fix 1.1.0 CVE-2026-1']);
  });

  it('end with the approval', async () => {
    await decide('1.0.0', 'rejected');

    expect(await follow([release('1.1.0')])).toEqual([]);
  });
});

describe('the dependencies of a version that the registry submitted', () => {
  const fingerprint = '0123456789abcdef';
  const install: AutomaticSubmission = {
    cause: 'install',
    of: null,
    fixes: [],
    fingerprint,
    root: null,
  };

  const find = async (dependencies: Readonly<Record<string, string>>, more: object = {}) => {
    const manifest = { kind: 'npm', version: { name: id.name, dependencies, ...more } } as const;
    const head = await readReviewState(id);
    return findDependencyRequests(id, head, { ...collected([]), manifest }, now);
  };

  const approve = async (name: string, version: string): Promise<void> => {
    const other = npm(name, version);
    await submitPackage(other, writeContext());
    await decidePackage(other, { to: 'approved', by: 'ann' }, writeContext());
  };

  it('are requested for the same token, if no approved version is in range', async () => {
    await approve('there', '1.5.0');
    await approve('elsewhere', '2.0.0');
    await submitPackage(npm('refused'), writeContext());
    await decidePackage(npm('refused'), { to: 'rejected', by: 'ann' }, writeContext());
    await submit('1.0.0', install);

    const requests = await find({
      ...{ there: '^1.0.0', elsewhere: '^3.0.0', missing: '~1.2', refused: '*' },
      git: 'git+https://example.com/x.git',
    });

    expect(requests.map(({ name, range, cause }) => [name, range, cause])).toEqual([
      ['elsewhere', '^3.0.0', 'dependency'],
      ['missing', '~1.2', 'dependency'],
    ]);
    expect(requests[0]).toMatchObject({ of: id, by: { label: null, fingerprint } });
  });

  it('are also optional ones, unless the version bundles them', async () => {
    await submit('1.0.0', install);

    const requests = await find(
      { missing: '1', darwin: '1.0.0' },
      {
        optionalDependencies: { darwin: '1.0.0', linux: '1.0.0', inside: '1' },
        bundleDependencies: ['inside'],
      },
    );

    expect(requests.map(({ name }) => name)).toEqual(['missing', 'darwin', 'linux']);
  });

  it('are requested by the registry for an update', async () => {
    await submit('1.0.0', {
      ...install,
      cause: 'update',
      of: npm('left-pad', '0.9.0'),
      fingerprint: null,
    });

    expect(await find({ missing: '1' })).toMatchObject([{ name: 'missing', by: null }]);
  });

  it('are not requested for a submission by a person, or after the decision', async () => {
    await submit('1.0.0');
    expect(await find({ missing: '1' })).toEqual([]);
  });

  it('are not requested if a BOM chooses their version', async () => {
    await submit('1.0.0', install);
    const maven = { ecosystem: 'maven', name: 'org.acme:tool', version: '1.0.0' } as const;
    const named = [
      { name: 'org.acme:managed', range: '' },
      { name: 'org.acme:exact', range: '1.2' },
    ];

    const requests = await findDependencyRequests(
      maven,
      await readReviewState(id),
      {
        ...collected([]),
        manifest: { kind: 'maven', files: [], parents: [], boms: [] },
        details: { described: true, dependencies: named },
      },
      now,
    );

    expect(requests.map(({ name }) => name)).toEqual(['org.acme:exact']);
  });

  it('are with a Maven parent the versions that it sets, of packages that were approved', async () => {
    const parent = { ecosystem: 'maven', name: 'org.acme:parent', version: '2' } as const;
    const automatic = { ...install, fingerprint: null };
    await submitPackage(parent, writeContext(), { automatic });
    await saveApprovedName({ ecosystem: 'maven', name: 'org.acme:lib' });
    const managed = [
      { name: 'org.acme:lib', range: '1.1' },
      { name: 'org.acme:unused', range: '2.0' },
    ];

    const head = await readReviewState(parent);
    const requests = await findDependencyRequests(parent, head, { ...collected([]), managed }, now);

    expect(requests).toMatchObject([
      { name: 'org.acme:lib', version: null, range: '1.1', root: 'maven:org.acme:parent@2' },
    ]);
  });

  it('are requested once for an install, whose token may be revoked later', async () => {
    await submit('1.0.0', install);
    const head = await readReviewState(id);
    const known = { ...head, facts: { found: 'yes' } } as typeof head;
    const manifest = { kind: 'npm', version: { dependencies: { missing: '1' } } } as const;

    const release = { ...collected([]), manifest };
    expect(await findDependencyRequests(id, head, release, now)).toHaveLength(1);
    expect(await findDependencyRequests(id, known, release, now)).toEqual([]);
  });

  it('are requested again for an approved update, and not for a rejected one', async () => {
    await submit('1.0.0', { ...install, cause: 'update', fingerprint: null });
    await decide('1.0.0', 'approved');
    expect(await find({ missing: '1' })).toMatchObject([{ name: 'missing', by: null }]);

    await decide('1.0.0', 'rejected');
    expect(await find({ missing: '1' })).toEqual([]);
  });

  it('are not requested after the decision on an install', async () => {
    await submit('1.0.0', install);
    await decide('1.0.0', 'approved');
    expect(await find({ missing: '1' })).toEqual([]);
  });
});

it('a new failure of the own scan has the metadata of an approved version refreshed at once', async () => {
  await submit('1.0.0');
  await decide('1.0.0', 'approved');
  const due = async () =>
    (await listDueRefreshes('npm', { until: new Date().toISOString() }, 10)).due.map(
      ({ name }) => name,
    );

  await scanItself('low', id);
  expect(await due()).toEqual([]);

  await scanItself('high', id, 'CVE-2026-2');
  expect(await due()).toEqual(['left-pad']);
});
