import type * as z from 'zod';
import { type PathParameter, type Route, type Routes, routes } from '../routes.ts';
import { tokenFault, urlFault } from './credentials.ts';
import { outgoing, type RouteInput } from './outgoing.ts';
import { type SendOptions, sendPatiently, type Wait } from './retry.ts';

export { RequestError, type TransportCode } from './request-error.ts';

export interface ClientOptions {
  /** The registry's base URL, such as `https://registry.example.com`. */
  readonly url: string;
  /** Sent with the operations that need one, and with no other. */
  readonly token?: string | undefined;
  /** For how long one attempt may last, 30 seconds unless given. */
  readonly timeoutMs?: number;
  /** How often a request is repeated after a passing fault, 3 times unless given. */
  readonly retries?: number;
  /** The longest wait before the first repetition, 250 unless given; it doubles each time. */
  readonly backoffMs?: number;
  /** Told of every wait before a repetition: for how long, and after which error. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

export interface CallOptions {
  /** Makes it safe to repeat a write: without one, a write that may have been applied is not repeated. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

type PathOf<R extends Route> = [PathParameter<R['path']>] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: Readonly<Record<PathParameter<R['path']>, string>> };

/** A parameter may be given as the text that is sent, or as what it is read as. */
type QueryOf<R extends Route> = {
  readonly [P in keyof z.input<R['query']>]?:
    | z.input<R['query']>[P]
    | z.output<R['query']>[P & keyof z.output<R['query']>];
};

type BodyOf<R extends Route> = R extends {
  body: { schema: infer S extends z.ZodType; optional: infer O };
}
  ? O extends true
    ? { readonly body?: z.input<S> }
    : { readonly body: z.input<S> }
  : { readonly body?: undefined };

/** What an operation is given. */
export type OperationInput<R extends Route> = PathOf<R> &
  BodyOf<R> & { readonly query?: QueryOf<R> };

/** What an operation resolves to. */
export type OperationResult<R extends Route> = z.output<R['success']['schema']>;

type Operation<R extends Route> = (
  ...args: Record<never, never> extends OperationInput<R>
    ? [input?: OperationInput<R>, options?: CallOptions]
    : [input: OperationInput<R>, options?: CallOptions]
) => Promise<OperationResult<R>>;

/** One function for each route, by its name in the route table. They reject with a RequestError. */
export type RegistryClient = { readonly [K in keyof Routes]: Operation<Routes[K]> };

const defaults = { timeoutMs: 30_000, retries: 3, backoffMs: 250 };

const operation =
  (route: Route, { url, token, ...given }: ClientOptions) =>
  (input: RouteInput = {}, { idempotencyKey, signal }: CallOptions = {}): Promise<unknown> => {
    const request = outgoing(url, route, input);
    const headers = {
      ...request.headers,
      ...(route.protected && token !== undefined && { 'X-API-Key': token }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    };
    const options: SendOptions = { ...defaults, ...given, ...(signal && { signal }) };
    return sendPatiently({ ...request, headers }, options);
  };

const check = ({ url, token }: ClientOptions): void => {
  const wrongUrl = urlFault(url);
  if (wrongUrl) throw new TypeError(`The URL ${wrongUrl}`);
  const wrongToken = token === undefined ? undefined : tokenFault(token);
  if (wrongToken) throw new TypeError(`The token ${wrongToken}`);
};

/**
 * A client of the registry at a URL. Answers are typed by the route table, not checked against it.
 * @throws {TypeError} for a URL that is none, and for a token that no header can carry
 */
export const createClient = (options: ClientOptions): RegistryClient => {
  check(options);
  return Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [name, operation(route, options)]),
  ) as unknown as RegistryClient;
};
