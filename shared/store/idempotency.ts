import { gunzipSync, gzipSync } from 'node:zlib';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { tableName } from '../config/env.ts';
import { RegistryError } from '../domain/errors.ts';
import { AnsweredBeforeError, type StoredAnswer } from './answered-before.ts';
import { dynamodb, type Item } from './dynamodb.ts';
import type { Write } from './transact.ts';

const lifetimeSeconds = 24 * 60 * 60;

/** One use of an Idempotency-Key. Both are digests: neither key, token nor body is stored. */
export interface IdempotentRequest {
  /** Of token, method, path and key. */
  readonly scope: string;
  /** Of query and body: what must be the same when the key comes again. */
  readonly fingerprint: string;
  readonly now: Date;
}

/** An answer with a long scan is beyond what an item holds, unless it is packed. */
const pack = ({ body, ...rest }: StoredAnswer) => ({ ...rest, body: gzipSync(body) });

const unpack = ({ body, ...rest }: ReturnType<typeof pack>): StoredAnswer => ({
  ...rest,
  body: gunzipSync(body).toString(),
});

const answeredBefore =
  ({ fingerprint }: IdempotentRequest) =>
  (stored: Item | undefined): Error =>
    stored?.['fingerprint'] === fingerprint
      ? new AnsweredBeforeError(unpack(stored['answer'] as ReturnType<typeof pack>))
      : new RegistryError(
          'idempotency_key_reused',
          'This Idempotency-Key came before with another body or other parameters. Use a new key for a new request.',
        );

const epochSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

/** The expiry decides, not the item's presence: DynamoDB deletes an expired item some days later. */
const putUnlessAnswered = (request: IdempotentRequest, answer: StoredAnswer) => ({
  TableName: tableName('idempotency'),
  Item: {
    scope: request.scope,
    fingerprint: request.fingerprint,
    answer: pack(answer),
    expires_at: epochSeconds(request.now) + lifetimeSeconds,
  },
  ConditionExpression: 'attribute_not_exists(#scope) OR expires_at <= :now',
  ExpressionAttributeNames: { '#scope': 'scope' },
  ExpressionAttributeValues: { ':now': epochSeconds(request.now) },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
});

/** Remembers the answer in the transaction that earns it. Ends in AnsweredBeforeError if there was one already. */
export const rememberAnswer = (request: IdempotentRequest, answer: StoredAnswer): Write => ({
  operation: { Put: putUnlessAnswered(request, answer) },
  refuse: answeredBefore(request),
});

/** Remembers a refusal, for which there is no transaction. Throws AnsweredBeforeError if there was an answer already. */
export const rememberRefusal = async (
  request: IdempotentRequest,
  answer: StoredAnswer,
): Promise<void> => {
  try {
    await dynamodb.send(new PutCommand(putUnlessAnswered(request, answer)));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    throw answeredBefore(request)(error.Item && unmarshall(error.Item));
  }
};
