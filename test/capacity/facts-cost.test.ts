import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findPackageRefresh } from '../../shared/storage/reviews/package-refresh.ts';
import { prices } from '../bench/model/prices.ts';
import {
  type Measurement,
  measure,
  type Snapshot,
  type TestEngine,
  takeSnapshot,
} from '../support/engine.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import {
  collect,
  fillPackage,
  findHead,
  listScheduled,
  name,
  publish,
  servePackage,
  toId,
} from '../use-cases/facts/refreshed-package.ts';

const id = { ecosystem: 'npm', name } as const;

const million = 1e6;
const refreshesAMonth = 365.25 / 12 / 7;
/** Messages of one batch. Each is sent, received and deleted in a batch. */
const messagesOfBatch = 10;

/** Units of a refresh in a full batch, without the share that one batch needs however many messages it has. */
type Units = Pick<Measurement, 'readUnits' | 'writeUnits'>;

/**
 * Returns USD a month for a million refreshes each week, as far as it can be counted. The time of the function is not part of it: it
 * depends on how fast the origin answers.
 */
const toPrice = ({ readUnits, writeUnits }: Units): number =>
  refreshesAMonth *
  million *
  (readUnits * prices.readUnit +
    writeUnits * prices.writeUnit +
    (3 * prices.queueRequest + prices.invocation) / messagesOfBatch);

let origin: OriginServer;
const packages = new Map<number, Snapshot>();
let engine: TestEngine;

beforeAll(async () => {
  origin = await startOriginServer();
  for (const versions of [1, 50]) {
    const snapshot = await takeSnapshot(async () => {
      const published = publish(versions);
      servePackage(origin, published);
      await fillPackage(origin, published);
    });
    packages.set(versions, snapshot);
  }
});
afterAll(async () => {
  for (const snapshot of packages.values()) snapshot.remove();
  await origin.close();
});
afterEach(() => engine.close());

const start = async (versions: number): Promise<void> => {
  const snapshot = packages.get(versions);
  if (!snapshot) throw new Error(`There is no package of ${versions} versions`);
  engine = await snapshot.start();
  servePackage(origin, publish(versions));
};

/** Returns the cost of messages in one batch, without the one read of the origin's state for the batch. */
const measureBatch = async (messages: readonly object[]) => {
  const { calls, readUnits, writeUnits } = await measure(() => collect(origin, messages));
  return { calls: calls - 1, readUnits: readUnits - 1, writeUnits };
};

const refresh = async () => {
  const row = await findPackageRefresh(id);
  return measureBatch([{ ...id, due_at: row?.refresh_at }]);
};

describe('a refresh without news', () => {
  it.each([1, 50])(
    'of a package with %i versions costs half a read unit and 3 write units',
    async (versions) => {
      await start(versions);
      await refresh();

      const cost = await refresh();

      expect(cost).toEqual({ calls: 2, readUnits: 0.5, writeUnits: 3 });
      // A million packages, of any number of versions, without the time of the function.
      expect(toPrice(cost)).toBeCloseTo(9.04, 1);
    },
  );
});

describe('the schedule', () => {
  it('costs half a read unit for each of 16 index queries and one for each cursor', async () => {
    await start(1);

    const { readUnits, writeUnits } = await measure(() => listScheduled());

    expect([readUnits, writeUnits]).toEqual([4 + 8, 0]);
  });
});

describe('a refresh of a package of 50 versions', () => {
  beforeEach(() => start(50));

  it('costs at most 40 read units more if the list is another one, and 2 write units for a changed version', async () => {
    await refresh();
    const published = publish(50);
    published.set('9.9.9', { name, version: '9.9.9', license: 'MIT' });
    servePackage(origin, published);
    const release = await refresh();
    const { version } = toId(7);
    published.set(version, { ...published.get(version), deprecated: 'old' });
    const changed = await refresh();
    const alone = await measureBatch(await listScheduled(1));

    expect(release.writeUnits).toBe(3);
    expect(release.readUnits).toBeLessThanOrEqual(40);
    expect(changed.writeUnits).toBe(5);
    // New facts and a hash item, the review state, attention and its record, and the row of the package.
    expect(alone.writeUnits).toBeLessThanOrEqual(30);
    expect((await findHead(7)).facts?.deprecated).toBe('old');
  });
});
