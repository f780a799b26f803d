import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { HttpAnswer } from '../../api/http-answer.ts';
import { IdempotencyKey } from '../../api/schemas/idempotency-key.ts';
import { type ProblemCode, problems, RegistryError, refuseInvalid } from '../../domain/errors.ts';
import type { Actor } from '../../domain/tokens/actor.ts';
import {
  type IdempotentRequest,
  saveIdempotentRefusal,
} from '../../storage/idempotency/idempotency-record.ts';
import { ReplayedResponse } from '../../storage/idempotency/replayed-response.ts';
import { logEvent } from '../../util/log.ts';
import { makeErrorAnswer } from './error-answer.ts';
import { readHeader } from './gateway-request.ts';
import { type EndpointMiddleware, type EndpointRequest, readCaller } from './state.ts';

const header = 'Idempotency-Key';

const digestParts = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

const readKey = (event: APIGatewayProxyEvent): string | undefined => {
  const [value, ...others] = readHeader(event, header);
  if (value === undefined) return undefined;
  if (others.length === 0 && IdempotencyKey.safeParse(value).success) return value;
  throw refuseInvalid(header, 'must be given once, with 1 to 255 printable ASCII characters');
};

const formatParameters = (event: APIGatewayProxyEvent): string =>
  JSON.stringify(Object.entries(event.multiValueQueryStringParameters ?? {}).sort());

const identify = (
  { event, internal }: EndpointRequest,
  actor: Actor,
): IdempotentRequest | undefined => {
  const key = readKey(event);
  if (key === undefined) return undefined;
  return {
    scope: digestParts(actor.fingerprint ?? '', event.httpMethod, event.path, key),
    fingerprint: digestParts(formatParameters(event), internal.rawBody ?? ''),
    now: new Date(),
  };
};

const isCallersFault = (error: unknown): error is RegistryError =>
  error instanceof RegistryError && problems[error.code].status < 500;

/** Codes of refusals that are not saved, because a retry with the same key may succeed. */
const passingCodes: ReadonlySet<ProblemCode> = new Set(['idempotency_key_reused', 'quota_reached']);

/** True if the operation refused the request. Server faults are not saved: the caller should retry. */
const isRefusal = (error: unknown): boolean =>
  isCallersFault(error) && !passingCodes.has(error.code);

/** Returns the idempotent identity of one item: the request's key with the item's index, and the item's content. */
export const identifyItem = (
  { scope }: IdempotentRequest,
  place: number,
  sent: unknown,
): IdempotentRequest => ({
  scope: digestParts(scope, String(place)),
  fingerprint: digestParts(JSON.stringify(sent)),
  now: new Date(),
});

/**
 * Saves a refusal in an idempotency record; server faults are not saved.
 * @returns the error to answer with: the given one, or the replay of the first request with the key
 */
export const settleRefusal = async <E>(
  idempotent: IdempotentRequest | undefined,
  error: E,
  answerTo: (refusal: E) => HttpAnswer,
): Promise<E | Error> => {
  if (!idempotent || !isRefusal(error)) return error;
  try {
    await saveIdempotentRefusal(idempotent, answerTo(error));
  } catch (other) {
    if (other instanceof ReplayedResponse || isCallersFault(other)) return other;
    // The refusal is valid without a record too: a repeated request is evaluated and refused again.
    logEvent('warn', 'refusal_not_remembered', { error: other });
  }
  return error;
};

/**
 * Returns the middleware that identifies requests with an Idempotency-Key. It runs after validation, so invalid requests
 * leave no record. The operation's own transaction saves a success; this middleware saves a refusal.
 */
export const idempotency = (): EndpointMiddleware => ({
  before: (request) => {
    const idempotent = identify(request, readCaller(request.internal));
    if (idempotent) request.internal.idempotent = idempotent;
  },
  onError: async (request) => {
    const { event, error, internal } = request;
    const answerTo = (refusal: typeof error) => makeErrorAnswer({ event, error: refusal });
    request.error = await settleRefusal(internal.idempotent, error, answerTo);
  },
});
