import middy from '@middy/core';
import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type * as z from 'zod';
import type { HttpAnswer } from '../../api/http-answer.ts';
import type { AnswerOf, PathParameter, Route } from '../../api/route.ts';
import { RegistryError, readTimeoutDetail, writeTimeoutDetail } from '../../domain/errors.ts';
import { withReadBudget } from '../../storage/dynamodb/read-budget.ts';
import { errorAnswer } from './error-answer.ts';
import { commonHeaders } from './problem.ts';
import { requestLog } from './request-log.ts';
import type { EndpointMiddleware, RequestState } from './state.ts';
import { validation } from './validation.ts';

type BodyOf<R extends Route> = R extends { body: { schema: infer S extends z.ZodType } }
  ? z.output<S>
  : undefined;

/** Input of a route's operation: decoded, validated and typed by the route's schemas. */
export interface EndpointInput<R extends Route> {
  readonly path: Readonly<Record<PathParameter<R['path']>, string>>;
  readonly query: z.output<R['query']>;
  readonly body: BodyOf<R>;
}

/** Optional headers of a success answer. */
interface SuccessHeaders {
  readonly Location?: string;
  readonly Link?: string;
  readonly 'Cache-Control'?: string;
}

type HeaderName<R extends Route> = NonNullable<R['success']['header']>;

/** Returns further headers of a success, from its result and the request. */
export type HeadersOf<R extends Route> = (
  result: AnswerOf<R>,
  event: APIGatewayProxyEvent,
) => Pick<SuccessHeaders, HeaderName<R>>;

/** Arguments for header builders: required for a route that names a header, forbidden for others. */
export type HeaderArguments<R extends Route> = R['success'] extends { header: string }
  ? [headers: HeadersOf<R>]
  : [];

/** Returns the success answer of a route. */
export const makeSuccessAnswer = <R extends Route>(
  route: R,
  result: AnswerOf<R>,
  headers: SuccessHeaders = {},
): HttpAnswer => ({
  statusCode: route.success.status,
  headers: { 'Content-Type': 'application/json', ...commonHeaders, ...headers },
  // The line end keeps a terminal's next prompt on its own line.
  body: `${JSON.stringify(result)}\n`,
});

/** Part of a request's time in Lambda that is reserved for the timeout answer, in milliseconds. */
const answerReserveMs = 500;

interface StateContext extends Context {
  state: RequestState;
}

/** Returns the answer to a request that passed all middlewares. */
export type Answer = (
  state: RequestState,
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<HttpAnswer>;

/** Returns the input of the operation. Earlier middlewares have validated all its parts. */
export const readInput = <R extends Route>({ path, query, body }: RequestState): EndpointInput<R> =>
  ({ path, query, body }) as unknown as EndpointInput<R>;

/**
 * Returns the handler of a route. Request log and error answers are outermost, then come `middlewares` and the operation.
 * The state is passed in the context, because middy gives a handler nothing else.
 * @param writes true if a request may have changed data before its timeout
 */
export const composeHandler = (
  answer: Answer,
  middlewares: readonly EndpointMiddleware[] = [],
  { writes = false }: { readonly writes?: boolean } = {},
) => {
  const run = async (event: APIGatewayProxyEvent, context: StateContext): Promise<HttpAnswer> =>
    answer(context.state, event, context);
  const handler = middy<APIGatewayProxyEvent, HttpAnswer, Error, StateContext, RequestState>(run, {
    timeoutEarlyInMillis: answerReserveMs,
    timeoutEarlyResponse: () => {
      throw new RegistryError('timeout', writes ? writeTimeoutDetail : readTimeoutDetail);
    },
  });
  for (const middleware of [requestLog(), errorAnswer(), ...middlewares]) handler.use(middleware);
  return handler.before(({ context, internal }) => {
    context.state = internal;
  });
};

/** Returns the handler of a public endpoint without a request body. */
export const endpoint = <R extends Route & { scope?: undefined }>(
  route: R,
  run: (input: EndpointInput<R>, event: APIGatewayProxyEvent) => Promise<AnswerOf<R>>,
  ...[headers]: HeaderArguments<R>
) =>
  composeHandler(
    async (state, event) => {
      const result = await withReadBudget(() => run(readInput<R>(state), event));
      return makeSuccessAnswer(route, result, headers?.(result, event));
    },
    [validation(route)],
  );
