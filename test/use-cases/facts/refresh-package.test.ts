import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { toRefreshPart } from '../../../shared/storage/reviews/due-refreshes.ts';
import {
  findPackageRefresh,
  joinPackageRefresh,
  type PackageRefresh,
  toPackageRefreshKey,
} from '../../../shared/storage/reviews/package-refresh.ts';
import { toReviewStateKey } from '../../../shared/storage/reviews/review-state.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { showEvidence } from '../../../shared/use-cases/review/show-evidence.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { nothing, put, runCheck } from '../../storage/integrity/reviewed-registry.ts';
import {
  measure,
  type Snapshot,
  startEngine,
  type TestEngine,
  takeSnapshot,
} from '../../support/engine.ts';
import { askServer, type OriginServer, startOriginServer } from '../../support/origin-server.ts';
import {
  collect,
  fillPackage,
  findHead,
  joinAll,
  listSchedule,
  listScheduled,
  name,
  type Published,
  publish,
  putCopies,
  servePackage,
  toId,
} from './refreshed-package.ts';

const id = { ecosystem: 'npm', name } as const;
const week = 7 * 24 * 60;

let origin: OriginServer;
let filled: Snapshot;
let engine: TestEngine;
let published: Published;

beforeAll(async () => {
  origin = await startOriginServer();
  filled = await takeSnapshot(async () => {
    const some = publish(50);
    servePackage(origin, some);
    await fillPackage(origin, some);
  });
});
afterAll(async () => {
  filled.remove();
  await origin.close();
});

beforeEach(async () => {
  engine = await filled.start();
  published = publish(50);
  servePackage(origin, published);
});
afterEach(() => engine.close());

/** Returns the upstream metadata of a version as the evidence shows it. */
const readFacts = async (at: number) => {
  const settings = {
    rules: {},
    inquiries: { isScanning: false, isCollectingFacts: true },
    readFileRules: () => ({ origin: origin.url, isSpread: false, places: [] }),
  };
  return (await showEvidence({ ...toId(at) }, settings, new Date())).facts;
};

const readRow = async (): Promise<PackageRefresh> => {
  const row = await findPackageRefresh(id);
  if (!row) throw new Error('The package has no row');
  return row;
};

/** Refreshes the package at its time, and returns the cost and the requests to the origin. */
const refresh = async (settings: Parameters<typeof collect>[2] = {}) => {
  const { refresh_at } = await readRow();
  const before = origin.requests.length;
  const cost = await measure(() => collect(origin, [{ ...id, due_at: refresh_at }], settings));
  const { calls, readUnits, writeUnits } = cost;
  return { requests: origin.requests.length - before, calls, readUnits, writeUnits };
};

/** Read of the origin's state, once for each batch of up to ten messages. */
const ofBatch = { calls: 1, readUnits: 1 };

const nothingNew = {
  ...{ requests: 1, calls: 2 + ofBatch.calls, readUnits: 0.5 + ofBatch.readUnits, writeUnits: 3 },
};

const change = (at: number, fields: object): void => {
  const { version } = toId(at);
  published.set(version, { ...published.get(version), ...fields });
};

describe('a package without news', () => {
  it('costs one request, one read and one write of 3 units, with 50 versions', async () => {
    await refresh();
    const before = await findHead(7);

    expect(await refresh()).toEqual(nothingNew);
    expect(await findHead(7)).toEqual(before);
    expect(await listSchedule()).toEqual(['package']);
  });

  it('gets no body from an origin with an ETag, and costs the same without one', async () => {
    let unchanged = 0;
    const onUnchanged = () => {
      unchanged += 1;
    };
    servePackage(origin, published, { onUnchanged });
    await refresh();
    await refresh();
    expect(unchanged).toBe(1);

    servePackage(origin, published, { hasEtag: false });
    expect(await refresh()).toEqual(nothingNew);
  });

  it('costs the same for a single version', async () => {
    await engine.close();
    engine = await startEngine();
    published = publish(1);
    servePackage(origin, published);
    await fillPackage(origin, published);
    await refresh();

    expect(await refresh()).toEqual(nothingNew);
  });

  it('is due again after a week, and sent once', async () => {
    await refresh();

    expect(await listScheduled(week - 5)).toEqual([]);
    expect(await listScheduled(week + 5)).toMatchObject([{ ...id, due_at: expect.any(String) }]);
    expect(await listScheduled(week + 6)).toEqual([]);
    expect(await listScheduled(week + 66)).toHaveLength(1);
  });

  it('does nothing for a message that is out of date', async () => {
    const message = { ...id, due_at: '2026-01-01T00:00:00.000Z' };
    const before = origin.requests.length;

    const { writeUnits } = await measure(() => collect(origin, [message]));

    expect([writeUnits, origin.requests.length - before]).toEqual([0, 0]);
  });

  it('is what the integrity check expects', async () => {
    await engine.close();
    engine = await startEngine();
    published = publish(1);
    servePackage(origin, published);
    await fillPackage(origin, published);

    expect((await runCheck(false)).found).toEqual(nothing);
  });

  it('is refreshed again after the integrity check found that its row is in no schedule', async () => {
    await engine.close();
    engine = await startEngine();
    published = publish(1);
    servePackage(origin, published);
    await fillPackage(origin, published);
    const { refresh_in: _, ...damaged } = await readRow();
    await put('reviews', damaged);
    expect(await listSchedule()).toEqual([]);

    expect((await runCheck(false)).found).toEqual({ ...nothing, wrong_review_state: 1 });
    expect((await runCheck(true)).repaired).toBe(1);
    await joinAll(origin, 1);

    expect(await listSchedule()).toEqual(['package']);
    expect((await runCheck(false)).found).toEqual(nothing);
  });
});

describe('a package with news', () => {
  it('has one changed version of 50 fetched alone, and no other one written', async () => {
    await refresh();
    const others = await Promise.all([0, 1, 49].map(findHead));
    change(7, { deprecated: 'use another one' });

    const cost = await refresh();
    expect(await listSchedule()).toEqual([toId(7).version, 'package']);
    const [due] = await listScheduled(1);
    expect(due).toMatchObject(toId(7));
    await collect(origin, [due ?? {}]);

    expect((await findHead(7)).facts?.deprecated).toBe('use another one');
    expect(await Promise.all([0, 1, 49].map(findHead))).toEqual(others);
    expect(await listSchedule()).toEqual(['package']);
    // The row, and the mark of one version with its row of the index.
    expect([cost.requests, cost.writeUnits]).toEqual([1, 5]);
    // The versions, and their review states.
    expect(cost.calls).toBe(5 + ofBatch.calls);
    expect(cost.readUnits).toBeLessThanOrEqual(40);

    await refresh();
    expect(await refresh()).toEqual(nothingNew);
  });

  it('writes no version for a new release, of which the evidence shows the number', async () => {
    await refresh();
    published.set('9.9.9', { name, version: '9.9.9', license: 'MIT', description: 'Pads' });

    expect((await refresh()).writeUnits).toBe(3);
    expect((await readRow()).newest_version).toBe('9.9.9');
    expect((await readFacts(3))?.newest_version).toBe('9.9.9');
    expect(await refresh()).toEqual(nothingNew);
  });

  it('has a removed version fetched alone, so that its removal is confirmed', async () => {
    await refresh();
    published.delete(toId(7).version);
    await refresh();
    await collect(origin, await listScheduled(1));

    const { facts, refresh_at } = await findHead(7);
    expect(facts).toMatchObject({ found: 'no', gone_since: expect.any(String) });
    expect(refresh_at).toBeDefined();
    expect((await findHead(8)).facts?.found).toBe('yes');
  });

  it('has all versions fetched alone if the name is gone, or if the answer is no list', async () => {
    await refresh();
    origin.serve(`/${name}`, { status: 404 });
    await refresh();
    expect(await listSchedule()).toHaveLength(51);
    await engine.close();
    engine = await filled.start();
    const { checked_at } = await readRow();
    origin.serve(`/${name}`, { body: '<!doctype html>' });
    await refresh();
    expect(await listSchedule()).toHaveLength(51);
    expect((await readRow()).checked_at).toBe(checked_at);
  });
});

describe('a package of an origin that fails', () => {
  it('waits twice as long each time, and keeps all metadata and its time', async () => {
    await refresh();
    const [before, head] = [await readRow(), await findHead(7)];
    origin.serve(`/${name}`, { status: 503 });
    const pauses: number[] = [];
    for (let failure = 0; failure < 3; failure += 1) {
      const { writeUnits } = await refresh();
      expect(writeUnits).toBeGreaterThanOrEqual(3);
      pauses.push(Date.parse((await readRow()).refresh_at) - Date.now());
    }

    for (const [at, minutes] of [1, 2, 4].entries()) {
      expect(pauses[at]).toBeGreaterThan((minutes - 0.5) * 60_000);
      expect(pauses[at]).toBeLessThanOrEqual(minutes * 1.25 * 60_000);
    }
    expect((await readRow()).checked_at).toBe(before.checked_at);
    expect(await findHead(7)).toEqual(head);
    servePackage(origin, published);
    await refresh();
    const after = await readRow();
    expect(after.failures).toBeUndefined();
    expect(after.checked_at).not.toBe(before.checked_at);
  });
});

describe('the time of the last check', () => {
  const readCheck = async (at: number) => (await readFacts(at))?.checked_at;

  it('is that of the package, but not for a version that differs from the list', async () => {
    const alone = await readCheck(7);
    await refresh();
    const { checked_at } = await readRow();
    expect(await readCheck(7)).toBe(checked_at);
    expect(checked_at).not.toBe(alone);

    change(7, { deprecated: 'use another one' });
    await refresh();

    expect(await readCheck(7)).toBe(alone);
    expect(await readCheck(8)).toBe((await readRow()).checked_at);
  });

  it('is its own after a rejection, and another approval fetches the version at once', async () => {
    const alone = await readCheck(7);
    const decide = (to: 'approved' | 'rejected') =>
      decidePackage(
        toId(7),
        { to, by: 'ann', reason: 'Looked at', override: true },
        writeContext(),
      );
    await decide('rejected');
    await refresh();
    expect(await readCheck(7)).toBe(alone);
    expect(await listSchedule()).toEqual(['package']);

    await decide('approved');
    expect(await listScheduled(1)).toMatchObject([toId(7)]);
  });
});

describe('a comparison', () => {
  const fillUpTo = async (count: number) => {
    await putCopies(50, count);
    published = publish(count);
    servePackage(origin, published);
    await refresh();
    await joinAll(origin, count);
  };

  it('continues in another message if there are more versions than one can take', async () => {
    await fillUpTo(130);
    expect(await listSchedule()).toEqual(['package']);
    for (const at of [0, 129]) change(at, { deprecated: 'old' });
    // Enough for one call, which reads 100 versions: those that were submitted last.
    const settings = { deadline: { remainingMs: () => 50_000 } };

    await refresh(settings);
    const first = await listSchedule();
    expect(await listScheduled(1)).toHaveLength(2);
    await refresh(settings);

    expect(first).toEqual([toId(129).version, 'package']);
    expect(await listSchedule()).toEqual([toId(0).version, toId(129).version, 'package']);
    expect((await readRow()).progress).toBeUndefined();
  });

  it('confirms nothing for a version that joins at the same time', async () => {
    await refresh();
    change(7, { deprecated: 'old' });
    const { refresh_at } = await readRow();
    const before = await readRow();
    const { fetchPackageList } = askServer(origin);
    await refresh({
      fetchPackageList: async (...request) => {
        const list = await fetchPackageList(...request);
        await joinPackageRefresh(id, { refreshAt: refresh_at, publishedAt: null });
        return list;
      },
    });

    expect(await readRow()).toMatchObject({ refresh_at, checked_at: before.checked_at });
    expect((await readRow()).validator).toBeUndefined();
  });

  it('deletes the row of a package without approved versions', async () => {
    await engine.close();
    engine = await startEngine();
    published = publish(1);
    servePackage(origin, published);
    await fillPackage(origin, published);
    const decision = { to: 'rejected', by: 'ann', reason: 'Not needed' } as const;
    await decidePackage(toId(0), decision, writeContext());
    await refresh();

    expect(await findPackageRefresh(id)).toBeUndefined();
    expect(await listSchedule()).toEqual([]);
    await decidePackage(
      toId(0),
      { to: 'approved', by: 'ann', reason: 'Needed', override: true },
      writeContext(),
    );
    await joinAll(origin, 1);
    expect(await listSchedule()).toEqual(['package']);
  });

  it('follows the releases for each approved version that has not changed', async () => {
    const followed: string[] = [];
    const releases: number[] = [];
    await refresh({
      followReleases: (_, listed) => {
        releases.push(listed.length);
        return async ({ version }) => void followed.push(version);
      },
    });
    change(7, { deprecated: 'old' });
    await refresh({
      followReleases:
        () =>
        async ({ version }) =>
          void followed.push(version),
    });

    expect(releases).toEqual([50]);
    expect(followed).toHaveLength(50 + 49);
  });

  it('compares a version that joins while a comparison continues with the next answer', async () => {
    await fillUpTo(130);
    await refresh({ deadline: { remainingMs: () => 50_000 } });
    expect((await readRow()).progress).toBeDefined();
    // It was submitted last, and the comparison has passed it. Another answer described it in the meantime.
    const other = {
      ...(await findHead(129)),
      facts: { ...(await findHead(129)).facts, listing: 'x' },
    };
    await put('reviews', { ...other, ...toReviewStateKey(toId(129)) });
    await joinPackageRefresh(id, { refreshAt: '2999-01-01T00:00:00.000Z', publishedAt: null });

    await refresh();
    expect(await readRow()).toMatchObject({ checked_at: expect.any(String) });
    expect((await readRow()).validator).toBeUndefined();
    await refresh();

    expect(await listSchedule()).toEqual([toId(129).version, 'package']);
  });

  it('ends for a package whose list changes with each request, and confirms no list', async () => {
    await fillUpTo(130);
    const settings = { deadline: { remainingMs: () => 50_000 } };
    await refresh(settings);
    expect((await readRow()).progress).toBeDefined();
    published.set('9.9.9', { name, version: '9.9.9', license: 'MIT', description: 'Pads' });

    await refresh(settings);

    const { progress, validator, newest_version } = await readRow();
    expect([progress, validator, newest_version]).toEqual([undefined, undefined, '9.9.9']);
    expect(await listSchedule()).toEqual(['package']);
  });

  it('ends for a package whose releases cannot be followed for one version', async () => {
    const followed: string[] = [];
    await refresh({
      followReleases:
        () =>
        async ({ version }) => {
          if (version === toId(7).version) throw new Error('Its findings are damaged');
          followed.push(version);
        },
    });

    expect(followed).toHaveLength(49);
    expect((await readRow()).validator).toBeDefined();
  });
});

describe('the schedule', () => {
  it('continues behind an entry that names no version', async () => {
    const { refresh_at, ...row } = await readRow();
    const due = (second: number) => new Date(Date.now() - 3_600_000 + second * 1000).toISOString();
    await put('reviews', { v: 'damaged', k: 'head', refresh_in: 'npm#0', refresh_at: due(0) });
    for (let at = 1; at <= 610; at += 1) {
      const other = { ...id, name: `other-${at}` };
      await put('reviews', {
        ...{ ...row, ...toPackageRefreshKey(other) },
        ...{
          spelling: { name: other.name },
          refresh_in: toRefreshPart(other),
          refresh_at: due(at),
        },
      });
    }

    expect((await listScheduled()).length).toBeGreaterThanOrEqual(599);
    expect(await listScheduled(1)).toContainEqual(expect.objectContaining({ name: 'other-610' }));
  });
});
