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

/** Kept back from the time that Lambda gives a request, for its answer. */
const reserveMs = 1500;

export type ProtectedRoute = Route & Required<Pick<Route, 'scope'>>;

/** What a protected operation is given besides its input: who asks, who gives its names, and what to write with its own writes. */
export type ProtectedInput<R extends Route> = EndpointInput<R> & {
  readonly caller: Caller;
  readonly giver: NameGiver;
  readonly write: WriteContext<AnswerOf<R>>;
};

/** Who asks, and what the Idempotency-Key stands for, where there is one. */
interface Asking {
  readonly actor: Actor;
  readonly idempotent?: IdempotentRequest | undefined;
}

/** What an operation writes with, on behalf of whoever asks; `answerTo` makes the answer that is remembered. */
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

/** The handler of a route that needs a token, which is checked before the body is read. */
export const composeProtected = (route: ProtectedRoute, answer: Answer) => {
  const writes = takesIdempotencyKey(route);
  const middlewares = [
    authentication(route, { tokens, required: areTokensRequired }),
    ...(route.body ? [jsonBody(route.body)] : []),
    validation(route),
    ...(writes ? [idempotency()] : []),
  ];
  return composeHandler(answer, middlewares, { writes });
};

/** The handler of an endpoint that needs a token: an Idempotency-Key is honoured where anything is changed. */
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
