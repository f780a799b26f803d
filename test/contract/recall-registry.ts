import { expect } from 'vitest';
import { FunctionClock } from '../support/function-clocks.ts';
import { type OriginServer, startOriginServer } from '../support/origin-server.ts';
import { serveEmptyFeed } from '../support/recall-feed.ts';
import { TestRegistry } from '../support/registry.ts';
import { invoking } from './exercise.ts';

/** Starts a registry with a clock of its own, and an origin with an empty malware feed. */
export const startRecallRegistry = async (): Promise<{
  readonly origin: OriginServer;
  readonly registry: TestRegistry;
}> => {
  const origin = await startOriginServer();
  const registry = await TestRegistry.start({ originUrl: origin.url, clock: new FunctionClock() });
  serveEmptyFeed(origin);
  return { origin, registry };
};

/** Runs the worker that recalls packages. A second passes after it. */
export const runRecallWorker = async (
  registry: TestRegistry,
  origin: OriginServer,
): Promise<void> => {
  expect(await invoking('recall-packages', {})(registry, '', {} as never, origin)).toEqual([200]);
  registry.clock.pass(1000);
};
