import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Facts, noFacts } from '../../../shared/domain/facts/facts.ts';
import type { Manifest } from '../../../shared/domain/facts/manifest.ts';
import type { ReleaseDetails } from '../../../shared/domain/facts/release-details.ts';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import { withReadBudget } from '../../../shared/storage/dynamodb/read-budget.ts';
import { saveFacts } from '../../../shared/use-cases/facts/save-facts.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { showChanges } from '../../../shared/use-cases/review/show-changes.ts';
import { submitPackage } from '../../../shared/use-cases/review/submit-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const axios = (version: string): PackageId => ({ ecosystem: 'npm', name: 'axios', version });

/** Upstream metadata of a version, with the publication day and mandatory dependencies. */
interface Upstream {
  readonly day?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly details?: Partial<ReleaseDetails>;
  readonly facts?: Partial<Facts>;
}

const collect = async (
  id: PackageId,
  { day, dependencies = {}, details, facts: some }: Upstream,
): Promise<void> => {
  const { name, version } = id;
  const shasum = Buffer.from(`${name}${version}`.padEnd(20).slice(0, 20)).toString('hex');
  const facts: Facts = {
    ...noFacts,
    ...{ found: 'yes', reason: null, name_found: true, provenance: true },
    ...{ license: 'MIT', license_declaration: 'readable', license_statement: 'MIT' },
    published_at: day ? `${day}T00:00:00.000Z` : null,
    ...some,
  };
  const manifest: Manifest = {
    kind: 'npm',
    version: { name, version, dependencies, dist: { shasum } },
  };
  const deadline = { remainingMs: () => 10_000 };
  const context = { now: new Date(), policy: defaultScanPolicy, everyHours: 168, deadline };
  const collected = {
    facts,
    manifest,
    ...(details && { details: { described: true, ...details } }),
  };
  await saveFacts(id, collected, context);
};

const submit = async (id: PackageId, upstream?: Upstream): Promise<void> => {
  await submitPackage(id, writeContext());
  if (upstream) await collect(id, upstream);
};

const decide = (id: PackageId, to: 'approved' | 'rejected') =>
  decidePackage(id, { to, by: 'ana', reason: 'seen', override: true }, writeContext());

const approve = async (id: PackageId, upstream?: Upstream): Promise<void> => {
  await submit(id, upstream);
  await decide(id, 'approved');
};

const show = (version: string, since?: string) =>
  showChanges({ ...axios(version), since }, new Date());

describe('changes of a version', () => {
  it('name what axios 1.14.1 had and 1.14.0 had not', async () => {
    const before = { version: '1.14.0', published_at: '2026-03-27T00:00:00.000Z' };
    await approve(axios('1.14.0'), {
      day: '2026-03-27',
      dependencies: { 'follow-redirects': '^1.15.0' },
      details: { publisher: 'GitHub Actions', trusted_publisher: 'github', maintainers: ['jason'] },
    });
    await submit(axios('1.14.1'), {
      day: '2026-03-31',
      dependencies: { 'follow-redirects': '^1.15.0', 'plain-crypto-js': '^4.2.1' },
      details: {
        publisher: 'jason',
        trusted_publisher: null,
        maintainers: ['jason'],
        previous: before,
      },
      facts: { provenance: false },
    });

    const single = { name: null, registry_status: null, first_published_at: null };
    expect(await show('1.14.1')).toEqual({
      ...axios('1.14.1'),
      ...{ since: '1.14.0', since_status: 'approved' },
      published_at: '2026-03-31T00:00:00.000Z',
      since_published_at: '2026-03-27T00:00:00.000Z',
      previous: before,
      changes: [
        {
          ...{ field: 'dependencies', change: 'added', name: 'plain-crypto-js' },
          ...{ before: null, after: '^4.2.1', registry_status: 'not_in_registry' },
          first_published_at: null,
        },
        {
          ...{ field: 'publisher', change: 'changed', ...single },
          ...{ before: 'GitHub Actions', after: 'jason' },
        },
        {
          ...{ field: 'trusted_publisher', change: 'removed', ...single },
          ...{ before: 'github', after: null },
        },
        { field: 'provenance', change: 'removed', ...single, before: 'present', after: null },
      ],
      change_count: 4,
      unknown: ['install_scripts', 'size', 'file_count'],
    });
  });

  it('have the status in the registry of each added dependency', async () => {
    const dep = (name: string, version: string) => ({ ecosystem: 'npm', name, version }) as const;
    await approve(axios('1.0.0'), {});
    await approve(dep('good', '1.2.0'));
    await approve(dep('old', '0.9.0'));
    await submit(dep('waiting', '1.0.0'));
    await submit(dep('bad', '1.0.0'));
    await decide(dep('bad', '1.0.0'), 'rejected');
    const git = 'git+https://code.example/x.git';
    const dependencies = { good: '^1.0.0', old: '1', waiting: '1', bad: '1', none: '1' };
    await submit(axios('1.1.0'), { dependencies: { ...dependencies, alias: 'npm:good@1', git } });

    const { changes } = await show('1.1.0');

    expect(changes.map(({ name, registry_status }) => [name, registry_status])).toEqual([
      ['good', 'approved'],
      ['old', 'out_of_range'],
      ['waiting', 'pending'],
      ['bad', 'rejected'],
      ['none', 'not_in_registry'],
      ['alias', 'approved'],
      ['git', 'unknown'],
    ]);
  });

  it('compare with what was approved, not with what upstream says of it since', async () => {
    await approve(axios('1.0.0'), { dependencies: { a: '1' } });
    await collect(axios('1.0.0'), { dependencies: { a: '2' } });
    await submit(axios('1.1.0'), { dependencies: { a: '2' } });

    expect((await show('1.1.0')).changes).toMatchObject([{ name: 'a', before: '1', after: '2' }]);
  });

  it('know nothing of a version without stored metadata', async () => {
    await approve(axios('1.0.0'), {});
    await submit(axios('1.1.0'));

    const { changes, unknown, since, published_at } = await show('1.1.0');

    expect([changes, since, published_at]).toEqual([[], '1.0.0', null]);
    expect(unknown).toContain('dependencies');
    expect(unknown).toContain('publisher');
  });
});

describe('the version that changes are shown since', () => {
  it('is the nearest approved one below, of the same release line first', async () => {
    for (const version of ['1.0.0', '1.9.0', '2.0.0', '2.2.0']) await approve(axios(version), {});
    await submit(axios('2.1.9'), {});
    await submit(axios('2.1.0'), {});

    expect(await show('2.1.0')).toMatchObject({ since: '2.0.0', since_status: 'approved' });
    expect(await show('2.0.0')).toMatchObject({ since: '1.9.0', since_status: 'approved' });
  });

  it('is the one that was published last before, if none below is approved, unless it is rejected', async () => {
    await approve(axios('3.0.0'), { day: '2026-05-01' });
    await submit(axios('1.0.0'), { day: '2026-01-01' });
    await submit(axios('0.9.0'), { day: '2026-02-01' });
    await submit(axios('1.1.0'), { day: '2026-03-01' });
    await decide(axios('1.1.0'), 'rejected');
    await submit(axios('1.2.0'), { day: '2026-04-01' });

    expect(await show('1.2.0')).toMatchObject({ since: '0.9.0', since_status: 'pending' });
    expect(await show('1.0.0')).toMatchObject({
      since: null,
      since_status: null,
      changes: [],
      unknown: [],
    });
  });

  it('is one of at least a week before, if there is one: malware may have several versions in a row', async () => {
    await submit(axios('1.0.0'), { day: '2026-03-01' });
    await submit(axios('1.1.0'), { day: '2026-03-30' });
    await submit(axios('1.1.1'), { day: '2026-03-31' });
    await submit(axios('1.1.2'), { day: '2026-04-06' });

    expect(await show('1.1.0')).toMatchObject({ since: '1.0.0' });
    expect(await show('1.1.1')).toMatchObject({ since: '1.0.0' });
    expect(await show('1.1.2')).toMatchObject({ since: '1.1.0' });
  });

  it('is never the version itself, if upstream gives it a later publication time than before', async () => {
    await submit(axios('1.14.1'), { day: '2026-03-27' });
    await collect(axios('1.14.1'), { day: '2026-03-31' });

    expect(await show('1.14.1')).toMatchObject({ since: null, changes: [] });
  });

  it('may be named, in any spelling and status', async () => {
    await approve(axios('1.0.0'), {});
    await submit(axios('1.2.0'), { dependencies: { a: '1' } });
    await decide(axios('1.2.0'), 'rejected');
    await submit(axios('1.3.0'), { dependencies: { a: '1' } });

    expect(await show('1.3.0', '1.2.0+build')).toMatchObject({
      ...{ since: '1.2.0', since_status: 'rejected' },
      ...{ changes: [], change_count: 0 },
    });
    await expect(show('1.3.0', '9.9.9')).rejects.toMatchObject({ code: 'package_not_found' });
  });
});

describe('the cost of changes', () => {
  const dependOn = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`d${at}`, '1']));

  it('is at most two calls for each of 50 added dependencies', async () => {
    await approve(axios('1.0.0'), {});
    await submit(axios('1.1.0'), {});
    await submit(axios('1.2.0'), { dependencies: dependOn(60) });
    const read = (version: string) => measure(() => withReadBudget(() => show(version)));

    const none = await read('1.1.0');
    const { result, calls, readUnits } = await read('1.2.0');

    const counts = Map.groupBy(result.changes, ({ registry_status }) => registry_status);
    expect(counts.get('not_in_registry')).toHaveLength(50);
    expect(counts.get('unknown')).toHaveLength(10);
    expect(calls - none.calls).toBeLessThanOrEqual(2 * 50);
    expect(readUnits - none.readUnits).toBeLessThanOrEqual(75);
    expect([none.calls, none.readUnits]).toEqual([9, 6]);
  });

  it('leaves added dependencies unknown if the read budget is small', async () => {
    await approve(axios('1.0.0'), {});
    await submit(axios('1.2.0'), { dependencies: dependOn(3) });

    const { changes } = await withReadBudget(() => show('1.2.0', '1.0.0'), 300);

    expect(changes.map(({ registry_status }) => registry_status)).toEqual(Array(3).fill('unknown'));
  });

  it('does not grow with the number of changes: 200 are shown', async () => {
    await approve(axios('1.0.0'), {});
    await submit(axios('1.2.0'), { dependencies: dependOn(250) });

    const { changes, change_count } = await show('1.2.0');

    expect([changes.length, change_count]).toEqual([200, 250]);
  });
});
