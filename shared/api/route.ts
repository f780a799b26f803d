import type * as z from 'zod';
import type { ProblemCode } from '../domain/errors.ts';
import type { Scope } from '../domain/tokens/scope.ts';
import type { Access } from './resources.ts';
import type { NamedSchemas, SchemaName } from './schemas/named-schemas.ts';

/** What a request carries. */
interface RequestBody {
  readonly schema: z.ZodType<object>;
  readonly optional: boolean;
  readonly maxBytes?: number;
}

/**
 * One endpoint. Its id names its handler's file and its construct; its access is all that its function is granted.
 * An optional body may be absent.
 */
export interface Route {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  /** What its token must be for, whenever tokens are configured; absent: anyone may call it. */
  readonly scope?: Scope | 'any';
  /** What is enough for whom it is their own submission: its use case holds that. */
  readonly ownScope?: Scope;
  readonly access: Access;
  /** Whether it only asks, though it needs a token: then there is nothing that an Idempotency-Key could keep from being done twice. */
  readonly changesNothing?: boolean;
  /** Whether it does many things, and answers each by itself: what befalls one of them is in the answer, and no answer of its own. */
  readonly many?: boolean;
  readonly query: z.ZodType<object>;
  /** Whether query parameters that it does not know are ignored, and not refused. */
  readonly anyQuery?: boolean;
  readonly body?: RequestBody;
  /** Whether browsers, which ask for HTML, are led to the console. */
  readonly leadsBrowsers?: boolean;
  readonly success: {
    readonly status: 200 | 201;
    /** The name of the answer's schema. Only its type is imported here: no function checks its own answers. */
    readonly answer: SchemaName;
    /** The header that its handler adds; `Link` only where there are other pages. */
    readonly header?: 'Location' | 'Link';
  };
  /** The refusals of its own, besides those that any endpoint of its kind may answer with. */
  readonly errors: readonly ProblemCode[];
}

/** The names between braces in a path. */
export type PathParameter<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** The answer of a route to a success, as its schema describes it. */
export type AnswerOf<R extends Route> = z.output<NamedSchemas[R['success']['answer']]>;
