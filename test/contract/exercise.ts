import { functionOf } from '../support/functions.ts';
import type { OriginServer } from '../support/origin-server.ts';
import type { OsvServer } from '../support/osv-server.ts';
import type { TestRegistry } from '../support/registry.ts';

/**
 * Uses every permission of a function, on a pending version of the package of this name. Resolves to the status of each
 * answer; an invocation without a request counts as 200 on success and 500 on failure.
 */
export type Exercise = (
  registry: TestRegistry,
  name: string,
  osv: OsvServer,
  origin: OriginServer,
) => Promise<number[]>;

/** Invokes a worker. Resolves to a status, as a request does. */
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
