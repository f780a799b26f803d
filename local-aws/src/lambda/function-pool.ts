/** Pool of one function's instances. An instance starts on demand and processes one event at a time. */
import { randomUUID } from 'node:crypto';
import type { LambdaFunction } from '../template/model.ts';
import { type Instance, type InstanceOptions, startInstance } from './instance.ts';

export interface FunctionPool {
  /** Resolves to the result as JSON. Rejects with an InvocationError. */
  invoke(event: string): Promise<string>;
  close(): Promise<void>;
}

export interface PoolOptions extends InstanceOptions {
  /** Most instances at the same time. Further events wait for a free instance. */
  readonly maxInstances: number;
  /** Milliseconds after which an instance without an event ends. */
  readonly idleMs: number;
}

const makeClosedError = (): Error => new Error('the stack was closed');

interface Slots {
  /** Returns the instance that answered last, else a new instance, else (at the limit) the next free instance. */
  acquire(): Instance | Promise<Instance>;
  release(instance: Instance): void;
  close(): Promise<void>;
}

/** Instances that wait for their next event. Each one ends after `idleMs`, and `onEnd` gets it. */
const createIdleInstances = (idleMs: number, onEnd: (instance: Instance) => void) => {
  const timers = new Map<Instance, NodeJS.Timeout>();
  const take = (instance: Instance): void => {
    clearTimeout(timers.get(instance));
    timers.delete(instance);
  };
  return {
    add: (instance: Instance): void => {
      const end = (): void => {
        take(instance);
        onEnd(instance);
        void instance.kill();
      };
      timers.set(instance, setTimeout(end, idleMs).unref());
    },
    /** Removes and returns the instance that was added last. The others can end. */
    pop: (): Instance | undefined => {
      const newest = [...timers.keys()].at(-1);
      if (newest) take(newest);
      return newest;
    },
    clear: (): void => [...timers.keys()].forEach(take),
  };
};

const createSlots = (
  start: () => Instance,
  { maxInstances, idleMs }: Pick<PoolOptions, 'maxInstances' | 'idleMs'>,
): Slots => {
  const instances = new Set<Instance>();
  const idle = createIdleInstances(idleMs, (instance) => instances.delete(instance));
  const waiting: PromiseWithResolvers<Instance>[] = [];
  let closed = false;

  const available = (): Instance | undefined => {
    for (let warm = idle.pop(); warm; warm = idle.pop()) {
      if (!warm.isGone()) return warm;
      instances.delete(warm);
    }
    if (instances.size >= maxInstances || closed) return undefined;
    const started = start();
    instances.add(started);
    return started;
  };
  const wait = (): Promise<Instance> => {
    const turn = Promise.withResolvers<Instance>();
    if (closed) turn.reject(makeClosedError());
    else waiting.push(turn);
    return turn.promise;
  };

  return {
    acquire: () => available() ?? wait(),
    release: (instance) => {
      if (instance.isGone()) instances.delete(instance);
      else idle.add(instance);
      const next = waiting.length > 0 ? available() : undefined;
      if (next) waiting.shift()?.resolve(next);
    },
    close: async () => {
      closed = true;
      idle.clear();
      for (const { reject } of waiting) reject(makeClosedError());
      await Promise.all([...instances].map((instance) => instance.kill()));
    },
  };
};

export const createFunctionPool = (target: LambdaFunction, options: PoolOptions): FunctionPool => {
  const slots = createSlots(() => startInstance(target, options), options);
  return {
    invoke: async (event) => {
      const instance = await slots.acquire();
      try {
        await instance.ready;
        const requestId = randomUUID();
        const deadline = Date.now() + target.timeoutSeconds * 1000;
        return await instance.invoke({ requestId, event, deadline });
      } finally {
        slots.release(instance);
      }
    },
    close: slots.close,
  };
};
