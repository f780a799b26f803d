import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Facts, noFacts } from '../../../shared/domain/facts/facts.ts';
import { formatPackage } from '../../../shared/domain/packages/format-package.ts';
import type { PackageId, PackageName } from '../../../shared/domain/packages/package-id.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import type { ListedPackage } from '../../../shared/ecosystems/origin-client.ts';
import { transact } from '../../../shared/storage/dynamodb/transact.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { deleteRemoval, listRemovals } from '../../../shared/storage/recalls/removal-rows.ts';
import { listAttention } from '../../../shared/storage/reviews/attention.ts';
import { readReviewState } from '../../../shared/storage/reviews/review-state.ts';
import { collectFacts } from '../../../shared/use-cases/facts/collect-facts.ts';
import { refreshFacts } from '../../../shared/use-cases/facts/refresh-facts.ts';
import { recallVersion } from '../../../shared/use-cases/recalls/recall-version.ts';
import { releaseVersion } from '../../../shared/use-cases/recalls/release-version.ts';
import { runRemovals } from '../../../shared/use-cases/recalls/run-removals.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { digest } from '../../../shared/util/digest.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { nothing, runCheck } from '../../storage/integrity/reviewed-registry.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { useSimulatedClock } from '../../support/simulated-clock.ts';
import { submit } from '../policy/policy-registry.ts';

useSimulatedClock();
let engine: TestEngine;
const start = new Date('2026-06-01T12:00:00.000Z');
beforeEach(async () => {
  engine = await startEngine();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
});
afterEach(async () => {
  vi.useRealTimers();
  await engine.close();
});

const minuteMs = 60_000;
const hour = 60;
const day = 24 * hour;

const npm = (name: string, version = '1.0.0'): PackageId => ({ ecosystem: 'npm', name, version });
const axios = npm('axios');

const ago = (minutes: number): string => new Date(Date.now() - minutes * minuteMs).toISOString();

/** What upstream has: the metadata of each version, and the names that are gone as a whole. */
const upstream = new Map<string, Partial<Facts>>();
const goneNames = new Set<string>();
beforeEach(() => {
  upstream.clear();
  goneNames.clear();
});

const ask = async (id: PackageId) => {
  const found = upstream.get(formatPackage(id));
  const facts: Facts = found
    ? { ...noFacts, found: 'yes', name_found: true, reason: null, license: 'MIT', ...found }
    : {
        ...noFacts,
        ...{ found: 'no', name_found: !goneNames.has(id.name) },
        reason: `Upstream has ${id.name}, but not ${id.version}`,
      };
  return { facts, manifest: null, ...(found && { listing: digest(found) }) };
};

/** Returns the list of a package as upstream has it. */
const fetchPackageList = async ({ name }: PackageName): Promise<ListedPackage> => {
  if (goneNames.has(name)) return { outcome: 'unknown_name' };
  listed.push(name);
  return {
    outcome: 'answered',
    validator: { digest: digest([...upstream]) },
    newestVersion: null,
    releases: [],
    digestOf: (version) => {
      const found = upstream.get(formatPackage(npm(name, version)));
      return found && digest(found);
    },
  };
};

/** Versions and packages that upstream was asked for. */
const asked: string[] = [];
const listed: string[] = [];
beforeEach(() => {
  asked.length = 0;
  listed.length = 0;
});

const collect = async (ids: readonly object[]): Promise<void> => {
  if (ids.length === 0) return;
  const Records = ids.map((id, at) => ({ messageId: `${at}`, body: JSON.stringify(id) }));
  await collectFacts(
    { Records },
    {
      ask: (id) => {
        asked.push(formatPackage(id));
        return ask(id);
      },
      fetchPackageList,
      findFirstPublication: async () => null,
      checkProvenance: async () => undefined,
      followUp: async () => undefined,
      policy: defaultScanPolicy,
      everyHours: 168,
      watchesRemovals: true,
      deadline: writeContext().deadline,
    },
  );
};

const context = () => {
  const { catalogue } = writeContext();
  const deadline = { remainingMs: () => 300_000 };
  return { now: new Date(), deadline, catalogue, scanPolicy: defaultScanPolicy };
};

/** Runs what schedules run every minute, for a time. */
const pass = async (minutes: number, everyMinutes = 1): Promise<void> => {
  const end = Date.now() + minutes * minuteMs;
  while (Date.now() < end) {
    vi.setSystemTime(Date.now() + everyMinutes * minuteMs);
    const sent: object[] = [];
    const send = async (bodies: readonly string[]) => {
      sent.push(...bodies.map((body) => JSON.parse(body) as object));
    };
    await refreshFacts({ now: new Date(), send });
    await collect(sent);
    await runRemovals(['npm'], context());
  }
};

const approve = async (id: PackageId, published_at: string | null = ago(hour)): Promise<void> => {
  upstream.set(formatPackage(id), { published_at });
  await submit(id);
  await collect([id]);
  await decidePackage(id, { to: 'approved', by: 'ana', reason: 'Seen' }, writeContext());
  asked.length = 0;
};

const remove = (id: PackageId): boolean => upstream.delete(formatPackage(id));

const statusOf = async (id: PackageId) => (await findVersion(id))?.status;

const decide = (to: 'approved' | 'rejected', acceptRecall?: string) =>
  decidePackage(axios, { to, by: 'ana', reason: 'Looked', acceptRecall }, writeContext());

describe('a removal upstream', () => {
  it('recalls a new version within 20 minutes', async () => {
    await approve(axios);
    await pass(25);
    remove(axios);

    await pass(20);

    expect(await findVersion(axios)).toMatchObject({
      status: 'rejected',
      rejected_by: 'registry',
      reason: 'Recalled: removed upstream: Upstream has axios, but not 1.0.0',
    });
  });

  it('is not forgotten if a record recalls the version in between, and is withdrawn', async () => {
    await approve(axios);
    remove(axios);
    vi.setSystemTime(Date.now() + 10 * minuteMs);
    await collect([axios]);
    const cause = { record: 'MAL-2026-1', summary: null, signalAt: ago(0) };
    await recallVersion(axios, cause, context());

    await releaseVersion(axios, { record: 'MAL-2026-1', reason: 'Withdrawn' }, context());

    const { attention } = await listAttention({ limit: 10 }, new Date());
    expect(attention).toMatchObject([{ name: 'axios', reasons: ['removed'] }]);
    expect((await runCheck(false)).found).toEqual(nothing);
    await pass(20);
    expect(await statusOf(axios)).toBe('rejected');
  });

  it('recalls a version of some weeks within 70 minutes', async () => {
    await approve(axios, ago(20 * day));
    await pass(90);
    remove(axios);

    await pass(70);

    expect(await statusOf(axios)).toBe('rejected');
  });

  it('recalls nothing after one look, if the version is there at the second', async () => {
    await approve(axios);
    remove(axios);
    await pass(11);
    expect((await readReviewState(axios)).facts?.gone_since).toBeDefined();
    expect((await listAttention({ limit: 10 }, new Date())).attention).toMatchObject([
      { name: 'axios', reasons: ['removed'] },
    ]);
    upstream.set(formatPackage(axios), { published_at: ago(hour + 11) });

    await pass(60);

    expect(await statusOf(axios)).toBe('approved');
    expect((await readReviewState(axios)).facts?.gone_since).toBeUndefined();
    expect((await listAttention({ limit: 10 }, new Date())).attention).toEqual([]);
  });

  it('does not recall a version that was published more than 30 days before, but reports it', async () => {
    await approve(axios, ago(31 * day));
    remove(axios);

    await pass(10 * day, 12 * hour);

    expect(await statusOf(axios)).toBe('approved');
    expect((await listAttention({ limit: 10 }, new Date())).attention).toHaveLength(1);
  });

  it('does not recall a version that upstream never had', async () => {
    await submit(axios);
    await collect([axios]);
    await decidePackage(
      axios,
      { to: 'approved', by: 'ana', reason: 'Seen', override: true },
      writeContext(),
    );

    await pass(3 * day, 6 * hour);

    expect(await statusOf(axios)).toBe('approved');
    expect((await listAttention({ limit: 10 }, new Date())).attention).toEqual([]);
  });

  it('does not recall a version that a person approved after the removal', async () => {
    upstream.set(formatPackage(axios), { published_at: ago(hour) });
    await submit(axios);
    await collect([axios]);
    remove(axios);
    vi.setSystemTime(Date.now() + 6 * minuteMs);
    await collect([axios]);
    const approval = { to: 'approved', by: 'ana', reason: 'Seen', override: true } as const;
    await decidePackage(axios, approval, writeContext());

    await pass(2 * hour);

    expect(await statusOf(axios)).toBe('approved');
  });

  it('releases a version that is there again with the files of the approval', async () => {
    await approve(axios);
    const published_at = ago(hour);
    remove(axios);
    await pass(20);
    expect(await statusOf(axios)).toBe('rejected');
    upstream.set(formatPackage(axios), { published_at });

    await pass(20);

    expect(await findVersion(axios)).toMatchObject({ status: 'approved', approved_by: 'ana' });
    const { recall, facts, pinned } = await readReviewState(axios);
    expect(recall).toBeNull();
    expect(pinned).toBe(facts?.digest);
    remove(axios);
    await pass(20);
    expect(await statusOf(axios)).toBe('rejected');
  });

  it('stays in force if the version is back with other metadata', async () => {
    await approve(axios);
    remove(axios);
    await pass(20);
    upstream.set(formatPackage(axios), { published_at: ago(80), license: 'Apache-2.0' });

    await pass(2 * hour, 5);

    expect(await statusOf(axios)).toBe('rejected');
  });

  it('stays in force after the rejection by a person, and upstream is not asked any more', async () => {
    await approve(axios);
    const published_at = ago(hour);
    remove(axios);
    await pass(20);
    await decide('rejected');
    upstream.set(formatPackage(axios), { published_at });
    asked.length = 0;
    listed.length = 0;

    await pass(2 * hour, 5);

    expect(await statusOf(axios)).toBe('rejected');
    expect([...asked, ...listed]).toEqual([]);
  });

  it('recalls no version again whose removal a person accepted', async () => {
    await approve(axios);
    remove(axios);
    await pass(20);
    await expect(decide('approved')).rejects.toThrow(
      'axios@1.0.0 was not approved, since it was recalled: removed upstream. To approve it anyway, send accept_recall with removed, and a reason.',
    );
    await decide('approved', 'removed');

    await pass(2 * hour, 5);

    expect(await statusOf(axios)).toBe('approved');
  });

  it('is left to people if the whole name is gone with several versions', async () => {
    await approve(axios);
    await approve(npm('axios', '1.1.0'));
    await approve(npm('single'));
    for (const id of [axios, npm('axios', '1.1.0'), npm('single')]) {
      remove(id);
      goneNames.add(id.name);
    }

    await pass(30);

    expect(await statusOf(axios)).toBe('approved');
    expect(await statusOf(npm('axios', '1.1.0'))).toBe('approved');
    expect(await statusOf(npm('single'))).toBe('rejected');
    const { attention } = await listAttention({ limit: 10 }, new Date());
    expect(attention.map(({ name, reasons }) => [name, ...reasons])).toEqual([
      ['single', 'recalled'],
      ['axios', 'removed'],
      ['axios', 'removed'],
    ]);
    expect(await listRemovals(10)).toEqual([]);
  });

  it('is left to people if many names are gone at once', async () => {
    const ids = Array.from({ length: 51 }, (_, at) => npm(`name-${at}`));
    for (const id of ids) await approve(id);
    for (const id of ids) {
      remove(id);
      goneNames.add(id.name);
    }

    await pass(30, 5);

    const statuses = await Promise.all(ids.map(statusOf));
    expect(new Set(statuses)).toEqual(new Set(['approved']));
  });

  it('from a mirror is left to people', async () => {
    await approve(axios);
    remove(axios);
    vi.setSystemTime(Date.now() + 6 * minuteMs);
    await collect([axios]);
    vi.setSystemTime(Date.now() + 6 * minuteMs);
    await collect([axios]);
    expect(await listRemovals(10)).toMatchObject([{ kind: 'gone', name: 'axios' }]);

    expect(await runRemovals([], context())).toMatchObject({ recalled: 0, held: 1 });

    expect(await statusOf(axios)).toBe('approved');
    expect(await listRemovals(10)).toEqual([]);
  });
});

describe('the watch for removals', () => {
  it('asks every 10 minutes in the first 72 hours, and every hour in the first 30 days', async () => {
    await approve(axios, ago(hour));
    await pass(2 * hour);
    const early = asked.length + listed.length;
    await pass(71 * hour, 6 * hour);
    asked.length = 0;
    listed.length = 0;
    await pass(12 * hour, 10);

    expect(early).toBeGreaterThanOrEqual(10);
    expect(early).toBeLessThanOrEqual(12);
    const late = asked.length + listed.length;
    expect(late).toBeGreaterThanOrEqual(10);
    expect(late).toBeLessThanOrEqual(12);
  });

  it('begins with the approval, and costs nothing for a version of more than 30 days', async () => {
    upstream.set(formatPackage(axios), { published_at: ago(hour) });
    await submit(axios);
    await collect([axios]);
    const before = (await readReviewState(axios)).refresh_at;
    expect(Date.parse(before ?? '') - Date.now()).toBe(168 * 60 * minuteMs);

    await decide('approved');

    const { refresh_at } = await readReviewState(axios);
    expect(Date.parse(refresh_at ?? '') - Date.now()).toBeLessThanOrEqual(10 * minuteMs + 1);
    const old = npm('old');
    await approve(old, ago(31 * day));
    const unwatched = (await readReviewState(old)).refresh_at;
    expect(Date.parse(unwatched ?? '') - Date.now()).toBe(168 * 60 * minuteMs);
  });

  it('costs one read without reports', async () => {
    const { calls, readUnits, writeUnits } = await measure(() => runRemovals(['npm'], context()));

    expect({ calls, readUnits, writeUnits }).toEqual({ calls: 1, readUnits: 1, writeUnits: 0 });
  });

  it('keeps a report that replaces one in work', async () => {
    await approve(axios);
    remove(axios);
    await collect([axios]);
    vi.setSystemTime(Date.now() + 6 * minuteMs);
    await collect([axios]);
    vi.setSystemTime(Date.now() + 6 * minuteMs);
    await collect([axios]);
    const [row] = await listRemovals(1);
    if (!row) throw new Error('There is no report');

    const { deadline } = writeContext();
    const stale = deleteRemoval({ ...row, at: ago(60) });

    await expect(transact([stale], deadline)).rejects.toThrow('A later report replaced it');
    expect(await listRemovals(10)).toEqual([row]);
  });
});
