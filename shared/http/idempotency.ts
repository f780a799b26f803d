import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type Actor, anonymous } from '../domain/actor.ts';
import { problems, RegistryError, refuseInvalid } from '../domain/errors.ts';
import { logEvent } from '../log.ts';
import { IdempotencyKey } from '../schemas/idempotency-key.ts';
import { AnsweredBeforeError } from '../store/idempotency/answered-before.ts';
import {
  checkUnanswered,
  type IdempotentRequest,
  rememberRefusal,
} from '../store/idempotency/remember-answer.ts';
import { makeErrorAnswer } from './error-answer.ts';
import { readHeader } from './gateway-request.ts';
import type { EndpointMiddleware, EndpointRequest } from './state.ts';

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

/** The operation said no. What went wrong on our side is no answer to keep: the caller shall try again. */
const isRefusal = (error: unknown): boolean =>
  isCallersFault(error) && error.code !== 'idempotency_key_reused';

/** What one item of a request stands for: the key of the request with its place in it, and what was sent there. */
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
 * What to answer an item with that was refused: its first answer, where it was done before. A refusal of an item is not
 * remembered: whoever sends a request again wants the rest of it to be done.
 */
export const findFirstAnswer = async (
  idempotent: IdempotentRequest | undefined,
  refusal: unknown,
): Promise<unknown> => {
  if (!idempotent || !isRefusal(refusal)) return refusal;
  try {
    await checkUnanswered(idempotent);
    return refusal;
  } catch (error) {
    return error;
  }
};

/**
 * Gives a request with an Idempotency-Key its identity, after validation: what never ran has no answer to keep.
 * Successes are remembered by the operation's own transaction, refusals here.
 */
export const idempotency = (): EndpointMiddleware => ({
  before: (request) => {
    const idempotent = identify(request, request.internal.actor ?? anonymous);
    if (idempotent) request.internal.idempotent = idempotent;
  },
  onError: async (request) => {
    const { idempotent } = request.internal;
    if (!idempotent || !isRefusal(request.error)) return;
    try {
      await rememberRefusal(idempotent, makeErrorAnswer(request));
    } catch (error) {
      if (error instanceof AnsweredBeforeError || isCallersFault(error)) request.error = error;
      // The refusal is as true when it is not remembered: sent again, the request is refused anew.
      else logEvent('warn', 'refusal_not_remembered', { error });
    }
  },
});
