/** Sends hostile requests in a process of its own, so that each core has one. */
import { type HostileRun, runHostile } from './run-hostile.ts';

/** What is to be done, and what was wrong. */
export type HostileOrder = HostileRun & { readonly assembly: string };

process.on('message', (order: HostileOrder) => {
  runHostile(order).then(
    (violations) => process.send?.(violations),
    (error: unknown) => process.send?.([String(error)]),
  );
});
