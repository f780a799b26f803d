import type { RegistryClient } from './operations.ts';
import type { CallOptions } from './options.ts';
import type { CallableRoute, RouteInput } from './outgoing.ts';

/** Sends what an operation was given, and resolves to the JSON that it is answered with. */
export type SendInput = (
  route: CallableRoute,
  input: RouteInput,
  options: CallOptions,
) => Promise<unknown>;

/** One function for each route of a table, which may hold only what requests are built by. The routes type them. */
export const createOperations = (
  table: Readonly<Record<string, CallableRoute>>,
  send: SendInput,
): RegistryClient =>
  Object.fromEntries(
    Object.entries(table).map(([name, route]) => [
      name,
      (input: RouteInput = {}, options: CallOptions = {}) => send(route, input, options),
    ]),
  ) as unknown as RegistryClient;
