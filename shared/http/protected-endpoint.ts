import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { tokens } from '../auth/tokens.ts';
import { areTokensRequired } from '../config/env.ts';
import type { Caller } from '../domain/actor.ts';
import { type Route, takesIdempotencyKey } from '../routes.ts';
import { rememberAnswer } from '../store/idempotency/remember-answer.ts';
import type { WriteContext } from '../store/write-context.ts';
import { authentication } from './authentication.ts';
import {
  composeHandler,
  type EndpointInput,
  type HeaderArguments,
  makeSuccessAnswer,
  type ResultOf,
  readInput,
} from './endpoint.ts';
import { idempotency } from './idempotency.ts';
import { jsonBody } from './json-body.ts';
import type { RequestState } from './state.ts';
import { validation } from './validation.ts';

/** Kept back from the time that Lambda gives a request, for its answer. */
const reserveMs = 1500;

type ProtectedRoute = Route & Required<Pick<Route, 'scope'>>;

/** What a protected operation is given besides its input: who asks, and what to write with its own writes. */
export type ProtectedInput<R extends Route> = EndpointInput<R> & {
  readonly caller: Caller;
  readonly write: WriteContext<ResultOf<R>>;
};

interface EntitledState extends RequestState {
  caller: Caller;
}

/** Whom authentication let in. There is nobody that may stand in for them. */
const readCaller = ({ caller }: RequestState): Caller => {
  if (!caller) throw new Error('The request was not authenticated');
  return caller;
};

const makeWriteContext = <R extends ProtectedRoute>(
  { caller, idempotent }: EntitledState,
  context: Context,
  answerTo: (result: ResultOf<R>) => ReturnType<typeof makeSuccessAnswer>,
): WriteContext<ResultOf<R>> => ({
  actor: caller,
  now: new Date(),
  deadline: { remainingMs: () => context.getRemainingTimeInMillis() - reserveMs },
  remember: (result) => (idempotent ? [rememberAnswer(idempotent, answerTo(result))] : []),
});

/** The handler of an endpoint that needs a token: checked before the body is read; an Idempotency-Key is honoured where anything is changed. */
export const protectedEndpoint = <R extends ProtectedRoute>(
  route: R,
  run: (input: ProtectedInput<R>) => Promise<ResultOf<R>>,
  ...[headers]: HeaderArguments<R>
) => {
  const answer = async (state: RequestState, event: APIGatewayProxyEvent, context: Context) => {
    const answerTo = (result: ResultOf<R>) =>
      makeSuccessAnswer(route, result, headers?.(result, event));
    const entitled = { ...state, caller: readCaller(state) };
    const write = makeWriteContext<R>(entitled, context, answerTo);
    return answerTo(await run({ ...readInput<R>(state), caller: entitled.caller, write }));
  };
  return composeHandler(
    answer,
    authentication(route, { tokens, required: areTokensRequired }),
    ...(route.body ? [jsonBody(route.body)] : []),
    validation(route),
    ...(takesIdempotencyKey(route) ? [idempotency()] : []),
  );
};
