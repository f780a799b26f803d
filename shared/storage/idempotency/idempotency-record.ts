import { gunzipSync, gzipSync } from 'node:zlib';
import type { HttpAnswer } from '../../api/http-answer.ts';
import { RegistryError } from '../../domain/errors.ts';
import { defineTable } from '../dynamodb/table.ts';
import { putItem, type Write } from '../dynamodb/write.ts';
import { putAlone } from '../dynamodb/write-alone.ts';
import { ReplayedResponse } from './replayed-response.ts';

const lifetimeSeconds = 24 * 60 * 60;

/** Use of an Idempotency-Key. Scope and fingerprint are digests: no key, token or body is stored. */
export interface IdempotentRequest {
  /** Digest of token, method, path and key. */
  readonly scope: string;
  /** Digest of query and body, which must be the same when the key is used again. */
  readonly fingerprint: string;
  readonly now: Date;
}

/** Answer with a compressed body: a long scan would exceed the size of an item otherwise. */
interface PackedAnswer extends Omit<HttpAnswer, 'body'> {
  readonly body: Uint8Array;
}

interface AnswerItem {
  readonly scope: string;
  readonly fingerprint: string;
  readonly answer: PackedAnswer;
  /** Epoch seconds. */
  readonly expires_at: number;
}

const answersTable = defineTable<AnswerItem>('idempotency');

const pack = ({ body, ...rest }: HttpAnswer): PackedAnswer => ({ ...rest, body: gzipSync(body) });

const unpack = ({ body, ...rest }: PackedAnswer): HttpAnswer => ({
  ...rest,
  body: gunzipSync(body).toString(),
});

const explainAnswered =
  ({ fingerprint }: IdempotentRequest) =>
  (stored: AnswerItem | undefined): Error =>
    stored?.fingerprint === fingerprint
      ? new ReplayedResponse(unpack(stored.answer))
      : new RegistryError(
          'idempotency_key_reused',
          'This Idempotency-Key came before with another body or other parameters. Use a new key for a new request.',
        );

const toEpochSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/**
 * Returns the write that saves an idempotency record, in the transaction of the request. It fails with
 * `ReplayedResponse` if there is a record. The expiry time decides, because DynamoDB deletes expired items days later.
 */
export const saveIdempotentResponse = (request: IdempotentRequest, answer: HttpAnswer): Write => {
  const item = {
    scope: request.scope,
    fingerprint: request.fingerprint,
    answer: pack(answer),
    expires_at: toEpochSeconds(request.now) + lifetimeSeconds,
  };
  return putItem(answersTable, item, {
    ConditionExpression: 'attribute_not_exists(#scope) OR expires_at <= :now',
    ExpressionAttributeNames: { '#scope': 'scope' },
    ExpressionAttributeValues: { ':now': toEpochSeconds(request.now) },
    explain: explainAnswered(request),
  });
};

/**
 * Saves the idempotency record of a refusal, which has no transaction.
 * @throws {ReplayedResponse} if there is a record already
 */
export const saveIdempotentRefusal = (
  request: IdempotentRequest,
  answer: HttpAnswer,
): Promise<void> => putAlone(saveIdempotentResponse(request, answer));
