import type * as z from 'zod';
import type { ProblemCode } from '../domain/errors.ts';
import type { Scope } from '../domain/tokens/scope.ts';
import type { Access, OptionalAccess } from './resources.ts';
import type { NamedSchemas, SchemaName } from './schemas/named-schemas.ts';

/** Body of a request. `maxBytes` is its maximum size, in bytes. */
interface RequestBody {
  readonly schema: z.ZodType<object>;
  readonly optional: boolean;
  readonly maxBytes?: number;
}

/** One endpoint. Its ID names its handler's file and construct. Its access lists all grants of its function. */
export interface Route {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  /** Scope that the token needs while tokens are configured. Without a scope, the route needs no token. */
  readonly scope?: Scope | 'any';
  /** Scope that suffices for callers who submitted the version; the use case enforces it. */
  readonly ownScope?: Scope;
  /** Scope that suffices as well as `scope`. */
  readonly otherScope?: Scope;
  readonly access: Access;
  readonly accessWith?: OptionalAccess;
  /** True if a repeat of a protected request has no further effect, so that the route accepts no Idempotency-Key. */
  readonly isRepeatable?: boolean;
  /** True if one request has many items. The response contains the result or the problem of each item. */
  readonly many?: boolean;
  readonly query: z.ZodType<object>;
  /** True if the route ignores unknown query parameters instead of refusing them. */
  readonly anyQuery?: boolean;
  readonly body?: RequestBody;
  /** True if the route redirects browsers, which request HTML, to the console. */
  readonly leadsBrowsers?: boolean;
  readonly success: {
    readonly status: 200 | 201;
    /** Name of the response's schema. Only its type is imported here: no function validates its own responses. */
    readonly answer: SchemaName;
    /**
     * Header that the handler adds. `Link` is present only if there are other pages. `Cache-Control` allows caches, which other
     * answers forbid.
     */
    readonly header?: 'Location' | 'Link' | 'Cache-Control';
  };
  /** Problem codes of this endpoint, besides those of all endpoints of its kind. */
  readonly errors: readonly ProblemCode[];
}

/** Union of the names between braces in a path. */
export type PathParameter<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** Success response of a route, as its schema describes it. */
export type AnswerOf<R extends Route> = z.output<NamedSchemas[R['success']['answer']]>;
