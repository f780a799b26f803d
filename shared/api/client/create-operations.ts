import type { RegistryClient } from './operations.ts';
import type { CallOptions } from './options.ts';
import type { CallableRoute, RouteInput } from './outgoing.ts';

/** Sends the input of an operation, and resolves to the JSON of the response. */
export type SendInput = (
  route: CallableRoute,
  input: RouteInput,
  options: CallOptions,
) => Promise<unknown>;

/** Returns one function for each route of a table. The table needs only the fields that build requests. */
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
