import type { Request } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { HttpAnswer } from '../../api/http-answer.ts';
import type { Caller } from '../../domain/tokens/actor.ts';
import type { NameGiver } from '../../domain/tokens/given-name.ts';
import type { IdempotentRequest } from '../../storage/idempotency/idempotency-record.ts';

/** What one middleware of a request leaves for the next. */
export interface RequestState extends Record<string, unknown> {
  /** What the Idempotency-Key stands for, where there is one. Only set once the operation is about to run. */
  idempotent?: IdempotentRequest;
  /** The code of the problem that the answer tells; set with the answer. */
  problemCode?: string;
  /** What is answered without the operation: its question could not be read whole. */
  answer?: unknown;
  /** Who was let in; set by authentication. */
  caller?: Caller;
  /** The labels of all accepted tokens; set with the caller. */
  labels?: readonly string[];
  /** The body as it came, for telling one request from another. */
  rawBody?: string;
  /** The decoded path parameters, and the checked query and body. */
  path?: Readonly<Record<string, string>>;
  query?: object;
  body?: unknown;
}

/** Whom authentication let in. There is nobody that may stand in for them. */
export const readCaller = ({ caller }: RequestState): Caller => {
  if (!caller) throw new Error('The request was not authenticated');
  return caller;
};

/** Who gives the names in a request, which is nobody before authentication. */
export const readNameGiver = (state: RequestState): NameGiver => ({
  actor: readCaller(state),
  labels: state.labels ?? [],
});

export type EndpointRequest = Request<
  APIGatewayProxyEvent,
  HttpAnswer | APIGatewayProxyResult,
  Error,
  Context,
  RequestState
>;

/** One middleware of an endpoint. They run in the order given; `onError` runs in the reverse order. */
export interface EndpointMiddleware {
  before?: (request: EndpointRequest) => Promise<void> | void;
  after?: (request: EndpointRequest) => Promise<void> | void;
  onError?: (request: EndpointRequest) => Promise<void> | void;
}
