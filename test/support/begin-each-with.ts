import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Snapshot, type TestEngine, takeSnapshot } from './engine.ts';

/** Starts each test of the file with its own copy of a filled database. */
export const beginEachWith = (fill: () => Promise<void>): void => {
  let snapshot: Snapshot;
  let engine: TestEngine;
  beforeAll(async () => {
    snapshot = await takeSnapshot(fill);
  });
  afterAll(() => snapshot.remove());
  beforeEach(async () => {
    engine = await snapshot.start();
  });
  afterEach(() => engine.close());
};
