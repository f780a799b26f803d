import type * as z from 'zod';
import type { Routes } from '../all-routes.ts';
import type { AnswerOf, PathParameter, Route } from '../route.ts';
import type { CallOptions } from './options.ts';

type PathInput<R extends Route> = [PathParameter<R['path']>] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: Readonly<Record<PathParameter<R['path']>, string>> };

/** Query parameters of a route. Each is the text to send, or the value that the text means. */
type Parameters<R extends Route> = {
  readonly [P in keyof z.input<R['query']>]:
    | z.input<R['query']>[P]
    | z.output<R['query']>[P & keyof z.output<R['query']>];
};

type QueryInput<R extends Route> =
  Record<never, never> extends Parameters<R>
    ? { readonly query?: Parameters<R> }
    : { readonly query: Parameters<R> };

type BodyInput<R extends Route> = R extends {
  body: { schema: infer S extends z.ZodType; optional: infer O };
}
  ? O extends true
    ? { readonly body?: z.input<S> }
    : { readonly body: z.input<S> }
  : { readonly body?: undefined };

type OperationInput<R extends Route> = PathInput<R> & QueryInput<R> & BodyInput<R>;

type Operation<R extends Route> = (
  ...args: Record<never, never> extends OperationInput<R>
    ? [input?: OperationInput<R>, options?: CallOptions]
    : [input: OperationInput<R>, options?: CallOptions]
) => Promise<AnswerOf<R>>;

/** One function for each route, by its name in `routes.ts`. A failed request rejects with a RequestError. */
export type RegistryClient = { readonly [K in keyof Routes]: Operation<Routes[K]> };
