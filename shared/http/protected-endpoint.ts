import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { tokens } from '../auth/tokens.ts';
import { counterShards, tokensRequired } from '../config/env.ts';
import { anonymous } from '../domain/actor.ts';
import type { Route } from '../routes.ts';
import { defaultLayout } from '../store/catalogue/layout.ts';
import type { CatalogueTarget } from '../store/catalogue/writes.ts';
import { rememberAnswer } from '../store/idempotency.ts';
import type { WriteContext } from '../store/write-context.ts';
import { authentication } from './authentication.ts';
import {
  compose,
  type EndpointInput,
  type HeadersOf,
  inputOf,
  type ResultOf,
  successAnswer,
} from './endpoint.ts';
import { idempotency } from './idempotency.ts';
import { jsonBody } from './json-body.ts';
import type { RequestState } from './state.ts';
import { validation } from './validation.ts';

/** Kept back from the time that Lambda gives a request, for its answer. */
const reserveMs = 1500;

let target: CatalogueTarget | undefined;

/** A function instance keeps to one shard: a quiet registry then has few, and a busy one spreads its writers. */
const catalogueTarget = (): CatalogueTarget => {
  target ??= { layout: defaultLayout, shard: Math.floor(Math.random() * counterShards()) };
  return target;
};

type ProtectedRoute = Route & { protected: true; body: NonNullable<Route['body']> };

/** What a protected operation is given besides its input: who asks, and what to write with its own writes. */
export type ProtectedInput<R extends Route> = EndpointInput<R> & {
  readonly write: WriteContext<ResultOf<R>>;
};

const writeContext = <R extends ProtectedRoute>(
  { actor, idempotent }: RequestState,
  context: Context,
  answerTo: (result: ResultOf<R>) => ReturnType<typeof successAnswer>,
): WriteContext<ResultOf<R>> => ({
  actor: actor ?? anonymous,
  now: new Date(),
  // Only asked for, and only configured, where packages are written.
  get catalogue() {
    return catalogueTarget();
  },
  deadline: { remainingMs: () => context.getRemainingTimeInMillis() - reserveMs },
  remember: (result) => (idempotent ? [rememberAnswer(idempotent, answerTo(result))] : []),
});

/** The handler of an endpoint that needs a token: checked before the body is read; an Idempotency-Key is honoured. */
export const protectedEndpoint = <R extends ProtectedRoute>(
  route: R,
  run: (input: ProtectedInput<R>) => Promise<ResultOf<R>>,
  headers?: HeadersOf<R>,
) => {
  const answer = async (state: RequestState, event: APIGatewayProxyEvent, context: Context) => {
    const answerTo = (result: ResultOf<R>) =>
      successAnswer(route, result, headers?.(result, event));
    const write = writeContext<R>(state, context, answerTo);
    return answerTo(await run({ ...inputOf<R>(state), write }));
  };
  return compose(
    answer,
    authentication({ tokens, required: tokensRequired }),
    jsonBody(route.body),
    validation(route),
    idempotency(),
  );
};
