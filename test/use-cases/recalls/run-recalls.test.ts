import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import type { MalwareRecord } from '../../../shared/domain/recalls/match-record.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import type { FeedPosition } from '../../../shared/scanners/osv/feed-position.ts';
import type { MalwareFeed } from '../../../shared/scanners/osv/malware-feed.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { readFeedState } from '../../../shared/storage/recalls/feed-state.ts';
import { listFoundRecords } from '../../../shared/storage/recalls/found-records.ts';
import {
  type ConfirmedRecord,
  isNameHeld,
  listHeldRecalls,
} from '../../../shared/storage/recalls/held-recalls.ts';
import { decideHeldRecall } from '../../../shared/use-cases/recalls/decide-held-recall.ts';
import {
  type RecallRunContext,
  runAllRecalls,
  runRecalls,
} from '../../../shared/use-cases/recalls/run-recalls.ts';
import { runRemovals } from '../../../shared/use-cases/recalls/run-removals.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { createDeadline, type Deadline } from '../../../shared/util/deadline.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { learn, scanItself, submit } from '../policy/policy-registry.ts';

let engine: TestEngine;
beforeEach(async () => {
  engine = await startEngine();
});
afterEach(() => engine.close());

const npm = (name: string, version = '1.0.0'): PackageId => ({ ecosystem: 'npm', name, version });

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();

const approve = async (id: PackageId, published_at: string | null = daysAgo(1)): Promise<void> => {
  await submit(id);
  await learn({ published_at }, id);
  await decidePackage(id, { to: 'approved', by: 'ana', reason: 'Seen' }, writeContext());
};

const record = (id: string, some: Partial<MalwareRecord> = {}): MalwareRecord => ({
  ...{ id, summary: `Malicious code (${id})`, published: null, modified: daysAgo(0) },
  ...{ withdrawn: null, affected: [] },
  ...some,
});

const affecting = (name: string, versions: readonly string[], ranges = []) => [
  { ecosystem: 'npm' as const, name, versions, ranges },
];

/** A feed with some records. A position is the number of the changes that were listed before. */
const makeFeed = (...records: (MalwareRecord | Error)[]) => makeFeedAt(0, ...records);

/** A feed whose changes happened some minutes ago. */
const makeFeedAt = (minutesAgo: number, ...records: (MalwareRecord | Error)[]) => {
  const log: (MalwareRecord | Error)[] = [...records];
  const asked: string[] = [];
  const brokenLines = { count: 0 };
  const ids = (): string[] =>
    log.map((one, at) => (one instanceof Error ? `MAL-2026-${900 + at}` : one.id));
  const feed: MalwareFeed = {
    listChanges: async (_, position) => {
      const from = Number(position?.newest ?? 0);
      const changes = ids()
        .slice(from)
        .map((id) => ({ id, modified: daysAgo(minutesAgo / 1440) }));
      if (position && changes.length === 0)
        return { changes, position, isComplete: true, skippedLines: 0 };
      const newest = String(log.length);
      const next: FeedPosition = { etag: null, newest, floor: null, handled: [], pass: null };
      return { changes, position: next, isComplete: true, skippedLines: brokenLines.count };
    },
    readRecord: async (_, id) => {
      asked.push(id);
      const found = log[ids().lastIndexOf(id)];
      if (found instanceof Error) throw found;
      return found;
    },
  };
  return { feed, asked, brokenLines, add: (one: MalwareRecord | Error) => log.push(one), log };
};

let rescanned: PackageId[] = [];
beforeEach(() => {
  rescanned = [];
});

const makeContext = (deadline = createDeadline(300_000)): RecallRunContext => {
  const { catalogue } = writeContext();
  const scanPolicy = defaultScanPolicy;
  const rescan = async (ids: readonly PackageId[]) => void rescanned.push(...ids);
  return { now: new Date(), deadline, catalogue, scanPolicy, rescan };
};

const run = (
  { feed }: Pick<ReturnType<typeof makeFeed>, 'feed'>,
  {
    deadline = createDeadline(300_000),
    confirmed = [],
  }: { readonly deadline?: Deadline; readonly confirmed?: readonly ConfirmedRecord[] } = {},
) => runRecalls(feed, 'npm', makeContext(deadline), { confirmed });

const statusOf = async (id: PackageId) => (await findVersion(id))?.status;

/** Returns the lines of an event that are logged from now on. */
const watchLog = (event: string): Record<string, unknown>[] => {
  const lines: Record<string, unknown>[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    const line = JSON.parse(String(text));
    if (line.event === event) lines.push(line);
    return true;
  });
  return lines;
};

describe('the log of a run of recalls', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ['7 minutes late', 7, 7],
    ['from a feed whose clock is ahead', -3, 0],
  ])('has the minutes from the signal to a recall %s', async (_, minutesAgo, minutes) => {
    await approve(npm('axios'));
    const axios = record('MAL-2026-1', { affected: affecting('axios', ['1.0.0']) });
    const feed = makeFeedAt(minutesAgo, axios);
    const lines = watchLog('package_recalled');

    await run(feed);

    expect(lines).toMatchObject([{ package: 'npm:axios@1.0.0', record: 'MAL-2026-1' }]);
    expect(Number(lines[0]?.['minutes'])).toBeCloseTo(minutes, 0);
  });

  it('counts from the first time of a record that failed before, and reports that it waits', async () => {
    await approve(npm('axios'));
    const feed = makeFeedAt(30, new Error('The feed returned status 503'));
    const waiting = watchLog('recalls_waiting');
    await run(feed);
    await run(feed);
    feed.log[0] = record('MAL-2026-900', { affected: affecting('axios', ['1.0.0']) });
    const recalled = watchLog('package_recalled');

    await run(feed);

    expect(waiting).toHaveLength(2);
    for (const line of [...waiting, ...recalled]) {
      expect(Number(line['minutes'])).toBeCloseTo(30, 0);
    }
    expect(recalled).toHaveLength(1);
  });

  it('warns once about lines of the feed that are no rows', async () => {
    const feed = makeFeed(record('MAL-2026-1'));
    feed.brokenLines.count = 3;
    const lines = watchLog('feed_lines_skipped');

    await run(feed);
    await run(feed);

    expect(lines).toEqual([
      { level: 'warn', event: 'feed_lines_skipped', ecosystem: 'npm', lines: 3 },
    ]);
  });
});

describe('a run of recalls', () => {
  it('recalls the approved versions that a record names, and no others', async () => {
    await approve(npm('axios', '1.14.1'));
    await approve(npm('axios', '1.14.0'));
    await approve(npm('other', '1.14.1'));
    const feed = makeFeed(record('MAL-2026-2307', { affected: affecting('axios', ['1.14.1']) }));

    expect(await run(feed)).toMatchObject({ records: 1, recalled: 1, released: 0, failed: 0 });

    expect(await statusOf(npm('axios', '1.14.1'))).toBe('rejected');
    expect(await statusOf(npm('axios', '1.14.0'))).toBe('approved');
    expect(await statusOf(npm('other', '1.14.1'))).toBe('approved');
  });

  it('reads one item and writes nothing without news', async () => {
    await approve(npm('axios'));
    const feed = makeFeed(record('MAL-2026-1', { affected: affecting('axios', ['9.9.9']) }));
    await run(feed);

    const { calls, readUnits, writeUnits } = await measure(() => run(feed));

    expect({ calls, readUnits, writeUnits }).toEqual({ calls: 1, readUnits: 1, writeUnits: 0 });
  });

  it('requests scans of the pending versions that a record names, and of no others', async () => {
    for (const version of ['1.14.0', '1.14.1']) await submit(npm('axios', version));
    await submit(npm('other', '1.14.1'));
    const affected = affecting('axios', ['1.14.1']);
    const feed = makeFeed(record('MAL-2026-2307', { affected }));

    expect(await run(feed)).toMatchObject({ records: 1, recalled: 0 });

    expect(rescanned).toEqual([npm('axios', '1.14.1')]);
    feed.add(record('MAL-2026-2307', { affected, withdrawn: daysAgo(0) }));
    await run(feed);
    expect(rescanned).toHaveLength(1);
  });

  it('reads six items and writes nothing in all feeds and lists without news', async () => {
    const { feed } = makeFeed(record('MAL-2026-1', { affected: affecting('axios', ['9.9.9']) }));
    await runAllRecalls(feed, makeContext());

    const { calls, readUnits, writeUnits } = await measure(() =>
      Promise.all([
        runAllRecalls(feed, makeContext()),
        runRemovals(['npm', 'pypi', 'maven'], makeContext()),
      ]),
    );

    expect({ calls, readUnits, writeUnits }).toEqual({ calls: 6, readUnits: 6, writeUnits: 0 });
  });

  it('recalls nothing if a tampered feed names many clean packages, and holds each record', async () => {
    const names = Array.from({ length: 51 }, (_, at) => `clean-${at}`);
    for (const name of names) await approve(npm(name), daysAgo(400));
    const feed = makeFeed(
      ...names.map((name, at) =>
        record(`MAL-2026-${at + 1}`, { affected: affecting(name, ['1.0.0']) }),
      ),
    );

    expect(await run(feed)).toMatchObject({ records: 51, recalled: 0, held: 51, failed: 0 });

    expect((await listHeldRecalls({ limit: 100 })).held_recalls).toHaveLength(51);
    expect(await isNameHeld(npm('clean-7'))).toBe(true);
    expect(await statusOf(npm('clean-7'))).toBe('approved');
  });

  describe('of a record that was handled before an approval', () => {
    const axios = npm('axios');
    let feed: ReturnType<typeof makeFeed>;

    beforeEach(async () => {
      feed = makeFeed(record('MAL-2026-1', { affected: affecting('axios', ['1.0.0']) }));
      await runAllRecalls(feed.feed, makeContext());
      await approve(axios);
    });

    it('recalls the version once a scan finds the record', async () => {
      await runAllRecalls(feed.feed, makeContext());
      expect(await statusOf(axios)).toBe('approved');
      await scanItself('low', axios, 'MAL-2026-1');

      expect(await runAllRecalls(feed.feed, makeContext())).toMatchObject({ npm: { recalled: 1 } });

      expect(await statusOf(axios)).toBe('rejected');
      expect(await listFoundRecords()).toEqual([]);
    });

    it('recalls nothing if a person accepted the record, or if the version is not approved', async () => {
      await scanItself('low', axios, 'MAL-2026-1');
      await runAllRecalls(feed.feed, makeContext());
      await decidePackage(
        axios,
        { to: 'approved', by: 'ana', reason: 'Checked', acceptRecall: 'MAL-2026-1' },
        writeContext(),
      );
      await scanItself(undefined, axios);
      await scanItself('low', axios, 'MAL-2026-1');
      await submit(npm('debug'));
      await scanItself('low', npm('debug'), 'MAL-2026-2');

      expect(await listFoundRecords()).toEqual([]);
    });
  });

  describe('of a record that names a pending version', () => {
    const axios = npm('axios');
    let feed: ReturnType<typeof makeFeed>;
    const decideByHand = () =>
      decidePackage(axios, { to: 'approved', by: 'ana', reason: 'Seen' }, writeContext());

    beforeEach(async () => {
      await submit(axios);
      await learn({ published_at: daysAgo(1) }, axios);
      feed = makeFeed(record('MAL-2026-1', { affected: affecting('axios', ['1.0.0']) }));
    });

    it('recalls the version if it is approved before its scan', async () => {
      await scanItself(undefined, axios);
      await run(feed);
      await decideByHand();

      expect(await run(feed)).toMatchObject({ records: 0, recalled: 1 });

      expect(await statusOf(axios)).toBe('rejected');
      expect((await readFeedState('npm')).watched).toEqual([]);
    });

    it('requests its scan again until there is a result', async () => {
      await scanItself(undefined, axios);
      await run(feed);
      await run(feed);
      expect(rescanned).toEqual([axios, axios]);

      const inAnHour = new Date(Date.now() + 3_600_000);
      await scanItself('low', axios, 'MAL-2026-2', inAnHour);
      await run(feed);

      expect(rescanned).toHaveLength(2);
      expect((await readFeedState('npm')).watched).toMatchObject([{ id: 'MAL-2026-1' }]);
    });

    it('does not look again once a scan has reported the record', async () => {
      await run(feed);
      await scanItself('low', axios, 'MAL-2026-1');

      await run(feed);
      const { asked } = feed;
      await run(feed);

      expect(asked).toHaveLength(2);
      expect((await readFeedState('npm')).watched).toEqual([]);
    });
  });

  it('releases the versions of a record that is withdrawn', async () => {
    await approve(npm('axios'));
    const feed = makeFeed(record('MAL-2026-1', { affected: affecting('axios', ['1.0.0']) }));
    await run(feed);

    feed.add(
      record('MAL-2026-1', { affected: affecting('axios', ['1.0.0']), withdrawn: daysAgo(0) }),
    );

    expect(await run(feed)).toMatchObject({ recalled: 0, released: 1 });
    expect(await statusOf(npm('axios'))).toBe('approved');
  });

  it('keeps the recall of a record that is withdrawn if a record of a later run names the version', async () => {
    await approve(npm('axios'));
    const affected = affecting('axios', ['1.0.0']);
    const feed = makeFeed(record('MAL-2026-1', { affected }));
    await run(feed);
    feed.add(record('MAL-2026-2', { affected }));
    await run(feed);

    feed.add(record('MAL-2026-1', { affected, withdrawn: daysAgo(0) }));

    expect(await run(feed)).toMatchObject({ recalled: 0, released: 0 });
    expect(await statusOf(npm('axios'))).toBe('rejected');
    feed.add(record('MAL-2026-2', { affected, withdrawn: daysAgo(0) }));
    expect(await run(feed)).toMatchObject({ released: 1 });
  });

  it('releases the version that a changed record does not name any more, and keeps the others', async () => {
    await approve(npm('axios', '1.0.0'));
    await approve(npm('axios', '2.0.0'));
    const feed = makeFeed(
      record('MAL-2026-1', { affected: affecting('axios', ['1.0.0', '2.0.0']) }),
    );
    await run(feed);

    feed.add(record('MAL-2026-1', { affected: affecting('axios', ['2.0.0']) }));
    await run(feed);

    expect(await statusOf(npm('axios', '1.0.0'))).toBe('approved');
    expect(await statusOf(npm('axios', '2.0.0'))).toBe('rejected');
  });

  it('tries a record again that could not be read, and handles the others', async () => {
    await approve(npm('axios'));
    await approve(npm('debug'));
    const broken = new Error('The feed returned status 503');
    const feed = makeFeed(
      broken,
      record('MAL-2026-2', { affected: affecting('debug', ['1.0.0']) }),
    );

    expect(await run(feed)).toMatchObject({ recalled: 1, failed: 1 });
    feed.log[0] = record('MAL-2026-900', { affected: affecting('axios', ['1.0.0']) });
    expect(await run(feed)).toMatchObject({ recalled: 1, failed: 0 });

    expect(await statusOf(npm('axios'))).toBe('rejected');
    expect((await run(feed)).records).toBe(0);
  });

  it('saves its progress before its time is over, and the next run handles the other records', async () => {
    await approve(npm('axios'));
    const feed = makeFeed(record('MAL-2026-1', { affected: affecting('axios', ['1.0.0']) }));
    const deadline = { remainingMs: () => 24_000 };

    expect(await run(feed, { deadline })).toMatchObject({ recalled: 0, failed: 1 });

    expect((await readFeedState('npm')).retries).toMatchObject([{ id: 'MAL-2026-1' }]);
    expect(await run(feed)).toMatchObject({ recalled: 1, failed: 0 });
  });

  it('reads no new changes while 1000 records cannot be read', async () => {
    const broken = Array.from({ length: 1000 }, () => new Error('The record is invalid'));
    const feed = makeFeed(...broken);
    await run(feed);
    feed.add(record('MAL-2026-1'));

    expect(await run(feed)).toMatchObject({ records: 1000, failed: 1000 });

    feed.log.splice(0, 1000, ...broken.map((_, at) => record(`MAL-2026-${900 + at}`)));
    expect(await run(feed)).toMatchObject({ records: 1000, failed: 0 });
    expect(await run(feed)).toMatchObject({ records: 1, failed: 0 });
  });

  it('recalls nothing again that a person approved in spite of the record', async () => {
    await approve(npm('axios'));
    const feed = makeFeed(record('MAL-2026-1', { affected: affecting('axios', ['1.0.0']) }));
    await run(feed);
    const accepted = { to: 'approved', by: 'ana', reason: 'A false alarm' } as const;
    await decidePackage(npm('axios'), { ...accepted, acceptRecall: 'MAL-2026-1' }, writeContext());

    feed.add(record('MAL-2026-1', { affected: affecting('axios', ['1.0.0']) }));

    expect(await run(feed)).toMatchObject({ records: 1, recalled: 0 });
    expect(await statusOf(npm('axios'))).toBe('approved');
  });

  it('holds more than 20 old versions of one package for people', async () => {
    const versions = Array.from({ length: 21 }, (_, at) => `1.0.${at}`);
    for (const version of versions) await approve(npm('axios', version), daysAgo(100));
    const feed = makeFeed(record('MAL-2026-1', { affected: affecting('axios', versions) }));

    expect(await run(feed)).toMatchObject({ recalled: 0, held: 21 });

    expect(await statusOf(npm('axios', '1.0.20'))).toBe('approved');
  });

  it('holds no package any more that a held record does not name any more', async () => {
    for (const name of ['axios', 'debug']) await approve(npm(name), daysAgo(100));
    const range = { introduced: '0', fixed: null, last_affected: null };
    const affect = (names: readonly string[]) => ({
      affected: names.map((name) => ({
        ...{ ecosystem: 'npm' as const, name, versions: [], ranges: [range] },
      })),
    });
    const feed = makeFeed(record('MAL-2026-1', affect(['axios', 'debug'])));
    await run(feed);
    expect(await isNameHeld(npm('debug'))).toBe(true);

    feed.add(record('MAL-2026-1', affect(['axios'])));
    await run(feed);

    expect(await isNameHeld(npm('debug'))).toBe(false);
    expect(await isNameHeld(npm('axios'))).toBe(true);
  });

  it('reports a confirmed record that the feed does not have any more, until somebody dismisses it', async () => {
    const waiting = watchLog('recalls_waiting');
    const confirmed = [
      { record: 'MAL-2026-1', ecosystem: 'npm', by: 'ana', at: daysAgo(1 / 24) },
    ] as const;

    expect(await run(makeFeed(), { confirmed })).toMatchObject({ failed: 1 });

    expect(waiting).toMatchObject([{ records: 1, minutes: 60 }]);
    expect(await run(makeFeed())).toMatchObject({ failed: 0 });
    expect((await readFeedState('npm')).retries).toEqual([]);
    vi.restoreAllMocks();
  });

  it('recalls nothing by a record that a person dismissed, also if it names fewer versions later', async () => {
    const versions = Array.from({ length: 21 }, (_, at) => `1.0.${at}`);
    for (const version of versions) await approve(npm('axios', version), daysAgo(100));
    const wrong = record('MAL-2026-1', { affected: affecting('axios', versions) });
    const feed = makeFeed(wrong);
    await run(feed);
    const dismissal = { id: 'MAL-2026-1', decision: 'dismiss', reason: 'Clean' } as const;
    await decideHeldRecall(dismissal, { ...writeContext(), remember: () => [] });
    const rejection = { to: 'rejected', by: 'ana', reason: 'Not needed' } as const;
    await decidePackage(npm('axios', '1.0.0'), rejection, writeContext());

    feed.add({ ...wrong, modified: daysAgo(-1) });

    expect(await run(feed)).toMatchObject({ records: 1, recalled: 0, held: 0 });
    expect(await statusOf(npm('axios', '1.0.20'))).toBe('approved');
  });

  it('recalls an approval that came after the record, since the next change names it again', async () => {
    const feed = makeFeed(record('MAL-2026-1', { affected: affecting('axios', ['1.0.0']) }));
    await run(feed);
    await approve(npm('axios'));

    feed.add(record('MAL-2026-1', { affected: affecting('axios', ['1.0.0']) }));
    await run(feed);

    expect(await statusOf(npm('axios'))).toBe('rejected');
  });
});
