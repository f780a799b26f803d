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
}

const makeClosedError = (): Error => new Error('the stack was closed');

interface Slots {
  /** Returns the instance that answered last, else a new instance, else (at the limit) the next free instance. */
  acquire(): Instance | Promise<Instance>;
  release(instance: Instance): void;
  close(): Promise<void>;
}

const createSlots = (start: () => Instance, maxInstances: number): Slots => {
  const instances = new Set<Instance>();
  const idle: Instance[] = [];
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
      else idle.push(instance);
      const next = waiting.length > 0 ? available() : undefined;
      if (next) waiting.shift()?.resolve(next);
    },
    close: async () => {
      closed = true;
      for (const { reject } of waiting) reject(makeClosedError());
      await Promise.all([...instances].map((instance) => instance.kill()));
    },
  };
};

export const createFunctionPool = (target: LambdaFunction, options: PoolOptions): FunctionPool => {
  const slots = createSlots(() => startInstance(target, options), options.maxInstances);
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
