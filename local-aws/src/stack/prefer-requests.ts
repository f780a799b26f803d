/**
 * Lets requests of the API go before events of streams and queues. On AWS, each instance of a function has a machine of its
 * own; here they share one.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { LambdaHost } from '../lambda/lambda-host.ts';

type Invoke = LambdaHost['invoke'];

/** Longest wait of an event for the end of all requests, in milliseconds. */
const longestWaitMs = 5000;

/** Returns one way to invoke functions for requests, and one for events, which wait while requests are in progress. */
export const preferRequests = (
  invoke: Invoke,
): { readonly invokeForRequest: Invoke; readonly invokeForEvent: Invoke } => {
  let active = 0;
  let idle = Promise.withResolvers<void>();
  return {
    invokeForRequest: async (functionId, event) => {
      if (active === 0) idle = Promise.withResolvers<void>();
      active += 1;
      try {
        return await invoke(functionId, event);
      } finally {
        active -= 1;
        if (active === 0) idle.resolve();
      }
    },
    invokeForEvent: async (functionId, event) => {
      if (active > 0) {
        const timeout = new AbortController();
        const { signal } = timeout;
        await Promise.race([idle.promise, delay(longestWaitMs, undefined, { signal, ref: false })]);
        timeout.abort();
      }
      return invoke(functionId, event);
    },
  };
};
