import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import type { HttpAnswer } from '../../api/http-answer.ts';
import type { AnswerOf, Route } from '../../api/route.ts';
import { takesIdempotencyKey } from '../../api/route-rules.ts';
import { areTokensRequired } from '../../api/settings/env.ts';
import type { Actor, Caller } from '../../domain/tokens/actor.ts';
import type { NameGiver } from '../../domain/tokens/given-name.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import {
  type IdempotentRequest,
  saveIdempotentResponse,
} from '../../storage/idempotency/idempotency-record.ts';
import { findIdTokenVerifier } from '../auth/deployed-verifier.ts';
import { tokens } from '../auth/tokens.ts';
import { authentication } from './authentication.ts';
import {
  type Answer,
  composeHandler,
  type EndpointInput,
  type HeaderArguments,
  makeSuccessAnswer,
  readInput,
} from './endpoint.ts';
import { idempotency } from './idempotency.ts';
import { jsonBody } from './json-body.ts';
import { type RequestState, readCaller, readNameGiver } from './state.ts';
import { validation } from './validation.ts';

/** Part of a request's time in Lambda that is reserved for its answer, in milliseconds. */
const reserveMs = 1500;

export type ProtectedRoute = Route & Required<Pick<Route, 'scope'>>;

/** Input of a protected operation: the request's input, the caller, the giver of its names, and the write context. */
export type ProtectedInput<R extends Route> = EndpointInput<R> & {
  readonly caller: Caller;
  readonly giver: NameGiver;
  readonly write: WriteContext<AnswerOf<R>>;
};

/** Caller of a request, and its identity under an Idempotency-Key, if any. */
interface Asking {
  readonly actor: Actor;
  readonly idempotent?: IdempotentRequest | undefined;
}

/** Returns the write context of an operation. `answerTo` makes the answer that the idempotency record saves. */
export const makeWriteContext = <Result>(
  { actor, idempotent }: Asking,
  context: Context,
  answerTo: (result: Result) => HttpAnswer,
): WriteContext<Result> => ({
  actor,
  now: new Date(),
  deadline: { remainingMs: () => context.getRemainingTimeInMillis() - reserveMs },
  idempotencyScope: idempotent?.scope,
  remember: (result) => (idempotent ? [saveIdempotentResponse(idempotent, answerTo(result))] : []),
});

/** Returns the handler of a route that requires a token. The token is checked before the body is parsed. */
export const composeProtected = (route: ProtectedRoute, answer: Answer) => {
  const writes = takesIdempotencyKey(route);
  const middlewares = [
    authentication(route, { tokens, findIdTokenVerifier, required: areTokensRequired }),
    ...(route.body ? [jsonBody(route.body)] : []),
    validation(route),
    ...(writes ? [idempotency()] : []),
  ];
  return composeHandler(answer, middlewares, { writes });
};

/** Returns the handler of an endpoint that requires a token. Writing endpoints support an Idempotency-Key. */
export const protectedEndpoint = <R extends ProtectedRoute>(
  route: R,
  run: (input: ProtectedInput<R>) => Promise<AnswerOf<R>>,
  ...[headers]: HeaderArguments<R>
) => {
  const answer = async (state: RequestState, event: APIGatewayProxyEvent, context: Context) => {
    const answerTo = (result: AnswerOf<R>) =>
      makeSuccessAnswer(route, result, headers?.(result, event));
    const caller = readCaller(state);
    const asking = { actor: caller, idempotent: state.idempotent };
    const write = makeWriteContext(asking, context, answerTo);
    return answerTo(
      await run({ ...readInput<R>(state), caller, giver: readNameGiver(state), write }),
    );
  };
  return composeProtected(route, answer);
};
