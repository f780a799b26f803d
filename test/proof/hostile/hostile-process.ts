/** Sends hostile requests in a separate process, one for each core. */
import { type HostileRun, runHostile } from './run-hostile.ts';

/** The order, and the violations. */
export type HostileOrder = HostileRun & { readonly assembly: string };

process.on('message', (order: HostileOrder) => {
  runHostile(order).then(
    (violations) => process.send?.(violations),
    (error: unknown) => process.send?.([String(error)]),
  );
});
