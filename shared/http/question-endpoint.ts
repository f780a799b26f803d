import type { Route } from '../routes.ts';
import {
  composeHandler,
  type EndpointInput,
  makeSuccessAnswer,
  type ResultOf,
  readInput,
} from './endpoint.ts';
import { jsonBody } from './json-body.ts';
import { validation } from './validation.ts';

type Question = Route & { scope?: undefined } & Required<Pick<Route, 'body'>>;

/** The handler of an endpoint that anyone may call, with a question that only a body holds. */
export const questionEndpoint = <R extends Question>(
  route: R,
  run: (input: EndpointInput<R>) => Promise<ResultOf<R>>,
) =>
  composeHandler(
    async (state) => makeSuccessAnswer(route, await run(readInput<R>(state))),
    jsonBody(route.body),
    validation(route),
  );
