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

/** What a route's operation is given: everything decoded, checked and typed by its schemas. */
export interface EndpointInput<R extends Route> {
  readonly path: Readonly<Record<PathParameter<R['path']>, string>>;
  readonly query: z.output<R['query']>;
  readonly body: BodyOf<R>;
}

/** What a success may carry besides what all do. */
interface SuccessHeaders {
  readonly Location?: string;
  readonly Link?: string;
}

type HeaderName<R extends Route> = NonNullable<R['success']['header']>;

/** Further headers of a success, from its result and the request. */
export type HeadersOf<R extends Route> = (
  result: AnswerOf<R>,
  event: APIGatewayProxyEvent,
) => Pick<SuccessHeaders, HeaderName<R>>;

/** A route that names a header needs what makes it; any other has none. */
export type HeaderArguments<R extends Route> = R['success'] extends { header: string }
  ? [headers: HeadersOf<R>]
  : [];

/** The answer to a success. */
export const makeSuccessAnswer = <R extends Route>(
  route: R,
  result: AnswerOf<R>,
  headers: SuccessHeaders = {},
): HttpAnswer => ({
  statusCode: route.success.status,
  headers: { 'Content-Type': 'application/json', ...commonHeaders, ...headers },
  // A terminal's next line begins where this one ends.
  body: `${JSON.stringify(result)}\n`,
});

/** Kept back from the time that Lambda gives a request, to say that it took too long. */
const answerReserveMs = 500;

interface StateContext extends Context {
  state: RequestState;
}

/** Answers a request that every middleware let pass. */
export type Answer = (
  state: RequestState,
  event: APIGatewayProxyEvent,
  context: Context,
) => Promise<HttpAnswer>;

/** The input of the operation. The middlewares before it have put every part in place and checked it. */
export const readInput = <R extends Route>({ path, query, body }: RequestState): EndpointInput<R> =>
  ({ path, query, body }) as unknown as EndpointInput<R>;

/**
 * The handler of a route: log and error answers outermost, then the middlewares before validation, validation,
 * the ones after it, and the operation. Hands over the state by the context: middy gives a handler nothing else.
 * @param writes whether a request may have changed something before its time was over
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

/** The handler of an endpoint that anyone may call. */
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
