import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { HostileOrder } from './hostile-process.ts';

const program = fileURLToPath(new URL('./hostile-process.ts', import.meta.url));

/** One process per core. */
export const hireHostile = () => {
  const crew = Array.from({ length: availableParallelism() }, () => fork(program));
  return {
    /** Runs the batches of `next` in all processes, until there are no more. */
    work: async (
      next: () => HostileOrder | undefined,
      done: (order: HostileOrder, violations: readonly string[]) => void,
    ): Promise<void> => {
      await Promise.all(
        crew.map(async (process) => {
          for (let order = next(); order; order = next()) {
            process.send(order);
            const [violations] = await once(process, 'message');
            done(order, violations);
          }
        }),
      );
    },
    end: (): void => {
      for (const process of crew) process.kill();
    },
  };
};
