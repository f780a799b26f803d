import { afterEach, beforeEach, vi } from 'vitest';
import type { FeedPosition } from '../../../shared/scanners/osv/feed-position.ts';
import { defaultLimits, type FeedLimits } from '../../../shared/scanners/osv/feed-reader.ts';
import { createMalwareFeed, type FeedChanges } from '../../../shared/scanners/osv/malware-feed.ts';
import {
  type MalwareFeedServer,
  startMalwareFeedServer,
} from '../../support/malware-feed-server.ts';
import { useSimulatedClock } from '../../support/simulated-clock.ts';

export const list = '/npm/modified_id.csv';

/** Row of a list: its id, and its time in minutes before the test. */
export type Row = readonly [id: string, minutesAgo: number];

export const now = Date.parse('2026-05-19T12:00:00Z');

export const toTime = (minutesAgo: number): string =>
  new Date(now - minutesAgo * 60_000).toISOString();

/** Rows above the floor of a first run, and 600 that are older, as each real list has them. */
export const withOlder = (rows: readonly Row[]): Row[] => [
  ...rows,
  ...Array.from({ length: 600 }, (_, at): Row => [`MAL-2020-${at}`, 100_000 + at]),
];

export const toLines = (rows: readonly Row[]): string =>
  rows.map(([id, minutesAgo]) => `${toTime(minutesAgo)},${id}\n`).join('');

/** Starts a server for each test, at the time `now` of a simulated clock. */
export const useFeedServer = () => {
  const clock = useSimulatedClock();
  const running: { server?: MalwareFeedServer } = {};
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now });
    running.server = await startMalwareFeedServer();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await running.server?.close();
  });
  return {
    clock,
    get server(): MalwareFeedServer {
      if (!running.server) throw new Error('The server starts before each test');
      return running.server;
    },
  };
};

/** Consecutive runs against a server, whose positions are stored as JSON. */
export const startRuns = (
  server: MalwareFeedServer,
  settings: { readonly limits?: Partial<FeedLimits> } = {},
) => {
  const { limits } = settings;
  const feed = createMalwareFeed(
    { url: server.url, timeoutMs: 5_000, deadlineMs: 20_000 },
    { ...defaultLimits, ...limits },
  );
  let position: FeedPosition | undefined;
  const run = async (): Promise<FeedChanges> => {
    const result = await feed.listChanges('npm', position);
    position = JSON.parse(JSON.stringify(result.position));
    return result;
  };
  const listIds = async (): Promise<string[]> => (await run()).changes.map(({ id }) => id);
  /** Runs until a run is complete. Returns the ids of all runs. */
  const runAll = async (): Promise<string[]> => {
    const ids: string[] = [];
    for (let runs = 0; runs < 1000; runs += 1) {
      const { changes, isComplete } = await run();
      ids.push(...changes.map(({ id }) => id));
      if (isComplete) return ids;
    }
    throw new Error('The runs do not end');
  };
  return {
    ...{ feed, run, runAll, listIds },
    get position() {
      return position;
    },
  };
};
