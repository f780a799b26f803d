import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import type { MalwareRecord } from '../../../shared/domain/recalls/match-record.ts';
import { defaultScanPolicy } from '../../../shared/domain/vulnerabilities/verdict.ts';
import type { FeedPosition } from '../../../shared/scanners/osv/feed-position.ts';
import type { MalwareFeed } from '../../../shared/scanners/osv/malware-feed.ts';
import { findVersion } from '../../../shared/storage/packages/write-version.ts';
import { runRecalls } from '../../../shared/use-cases/recalls/run-recalls.ts';
import { decidePackage } from '../../../shared/use-cases/review/decide-package.ts';
import { writeContext } from '../../capacity/write-context.ts';
import { measure, startEngine, type TestEngine } from '../../support/engine.ts';
import { learn, submit } from '../policy/policy-registry.ts';

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
const makeFeed = (...records: (MalwareRecord | Error)[]) => {
  const log: (MalwareRecord | Error)[] = [...records];
  const asked: string[] = [];
  const ids = (): string[] =>
    log.map((one, at) => (one instanceof Error ? `MAL-2026-${900 + at}` : one.id));
  const feed: MalwareFeed = {
    listChanges: async (_, position) => {
      const from = Number(position?.newest ?? 0);
      const changes = ids()
        .slice(from)
        .map((id) => ({ id, modified: daysAgo(0) }));
      if (position && changes.length === 0)
        return { changes, position, isComplete: true, skippedLines: 0 };
      const newest = String(log.length);
      const next: FeedPosition = { etag: null, newest, floor: null, handled: [], pass: null };
      return { changes, position: next, isComplete: true, skippedLines: 0 };
    },
    readRecord: async (_, id) => {
      asked.push(id);
      const found = log[ids().lastIndexOf(id)];
      if (found instanceof Error) throw found;
      return found;
    },
  };
  return { feed, asked, add: (one: MalwareRecord | Error) => log.push(one), log };
};

const run = ({ feed }: ReturnType<typeof makeFeed>) => {
  const { deadline, catalogue } = writeContext();
  const scanPolicy = defaultScanPolicy;
  return runRecalls(feed, 'npm', { now: new Date(), deadline, catalogue, scanPolicy });
};

const statusOf = async (id: PackageId) => (await findVersion(id))?.status;

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

  it('recalls an approval that came after the record, since the next change names it again', async () => {
    const feed = makeFeed(record('MAL-2026-1', { affected: affecting('axios', ['1.0.0']) }));
    await run(feed);
    await approve(npm('axios'));

    feed.add(record('MAL-2026-1', { affected: affecting('axios', ['1.0.0']) }));
    await run(feed);

    expect(await statusOf(npm('axios'))).toBe('rejected');
  });
});
