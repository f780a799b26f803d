import type { AnswerOf, Route } from '../../api/route.ts';
import { RegistryError } from '../../domain/errors.ts';
import { withReadBudget } from '../../storage/dynamodb/read-budget.ts';
import { composeHandler, type EndpointInput, makeSuccessAnswer, readInput } from './endpoint.ts';
import { jsonBody, readBeginning } from './json-body.ts';
import type { EndpointMiddleware, EndpointRequest } from './state.ts';
import { validation } from './validation.ts';

type Question = Route & { scope?: undefined } & Required<Pick<Route, 'body'>>;

/** Returns an answer to an oversized question from its beginning alone; undefined if the beginning does not suffice. */
type AnswerLarge<R extends Route> = (beginning: string) => AnswerOf<R> | undefined;

const runInOrder = async (
  middlewares: readonly EndpointMiddleware[],
  request: EndpointRequest,
): Promise<void> => {
  for (const { before } of middlewares) await before?.(request);
};

const isTooLarge = (error: unknown): error is RegistryError =>
  error instanceof RegistryError && error.code === 'body_too_large';

/** Returns the middleware that parses and validates the question. For an oversized one, it tries `answerLarge` first. */
const readQuestion = <R extends Question>(
  route: R,
  answerLarge: AnswerLarge<R>,
): EndpointMiddleware => {
  const middlewares = [jsonBody(route.body), validation(route)];
  return {
    before: async (request) => {
      const { event, internal } = request;
      try {
        await runInOrder(middlewares, request);
      } catch (error) {
        const answer = isTooLarge(error) ? answerLarge(readBeginning(event)) : undefined;
        if (!isTooLarge(error) || answer === undefined) throw error;
        internal.problemCode = error.code;
        internal.answer = answer;
      }
    },
  };
};

/** Returns the handler of a public endpoint with a question in its request body. */
export const questionEndpoint = <R extends Question>(
  route: R,
  run: (input: EndpointInput<R>) => Promise<AnswerOf<R>>,
  answerLarge: AnswerLarge<R> = () => undefined,
) =>
  composeHandler(
    async (state) => {
      const early = state.answer as AnswerOf<R> | undefined;
      return makeSuccessAnswer(
        route,
        early ?? (await withReadBudget(() => run(readInput<R>(state)))),
      );
    },
    [readQuestion(route, answerLarge)],
  );
