import type { Request } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import type { HttpAnswer } from '../../api/http-answer.ts';
import type { Caller } from '../../domain/tokens/actor.ts';
import type { NameGiver } from '../../domain/tokens/given-name.ts';
import type { IdempotentRequest } from '../../storage/idempotency/idempotency-record.ts';

/** State of a request that its middlewares share. */
export interface RequestState extends Record<string, unknown> {
  /** Identity under an Idempotency-Key, if any. Set only right before the operation. */
  idempotent?: IdempotentRequest;
  /** Code of the problem in the answer; set with the answer. */
  problemCode?: string;
  /** Answer to an oversized question, made without the operation. */
  answer?: unknown;
  /** Authenticated caller. */
  caller?: Caller;
  /** Why the token of an install submits nothing; only at the gate. */
  tokenFault?: 'invalid_token' | 'scope_missing' | 'tokens_unavailable';
  /** Labels of all accepted tokens; set with the caller. */
  labels?: readonly string[];
  /** Decompressed body text, to compare requests under one Idempotency-Key. */
  rawBody?: string;
  /** Decoded path parameters; below, the validated query and body. */
  path?: Readonly<Record<string, string>>;
  query?: object;
  body?: unknown;
}

/** Returns the authenticated caller. Throws without one: there is no default caller. */
export const readCaller = ({ caller }: RequestState): Caller => {
  if (!caller) throw new Error('The request was not authenticated');
  return caller;
};

/** Returns the giver of the names in a request: its caller, with all token labels. Throws before authentication. */
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
