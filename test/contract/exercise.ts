import { functionOf } from '../support/functions.ts';
import type { OriginServer } from '../support/origin-server.ts';
import type { OsvServer } from '../support/osv-server.ts';
import type { TestRegistry } from '../support/registry.ts';

/**
 * Uses everything that a function may do, on a pending version of the package of this name. Resolves to the status of each
 * answer; for what is no request, 200 stands for success and 500 for failure.
 */
export type Exercise = (
  registry: TestRegistry,
  name: string,
  osv: OsvServer,
  origin: OriginServer,
) => Promise<number[]>;

/** Invokes a worker. Resolves to a status, as if it were a request. */
export const invoking =
  (workerId: string, event: unknown): Exercise =>
  async ({ stack }) => {
    try {
      await stack.invoke(functionOf(stack.model, workerId).id, event);
      return [200];
    } catch {
      return [500];
    }
  };

export const selections = [
  '',
  '?version=1.0.0',
  '?ecosystem=npm',
  '?status=pending',
  '?ecosystem=npm&status=pending',
];

export const reading =
  (path: (name: string) => string, queries: readonly string[] = selections): Exercise =>
  async (registry, name) => {
    const answers = queries.map((query) => registry.get(`${path(name)}${query}`));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
