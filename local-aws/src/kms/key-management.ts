/** Part of KMS that signs with asymmetric keys: https://docs.aws.amazon.com/kms/latest/APIReference/ */
import { createHash, createPublicKey } from 'node:crypto';
import * as z from 'zod';
import { ApiError } from '../api-call.ts';
import type { JsonObject } from '../json.ts';
import { describeIssue } from '../schema.ts';
import type { StoredKey } from './key-store.ts';
import { signDigest } from './sign-digest.ts';

export interface KeyManagement {
  /** Returns the result of a call. @throws {ApiError} with AWS's error */
  handle(operation: string, body: JsonObject): JsonObject;
}

const algorithm = 'ECDSA_SHA_256';

/** Longest message and length of a digest, in bytes. */
const maxMessageBytes = 4096;
const digestBytes = 32;

const signSchema = z.object({
  Message: z.base64().transform((text) => Buffer.from(text, 'base64')),
  MessageType: z.enum(['RAW', 'DIGEST']).default('RAW'),
  SigningAlgorithm: z.literal(algorithm),
});

const parse = <T>(schema: z.ZodType<T>, body: JsonObject): T => {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ApiError('ValidationException', describeIssue(parsed.error));
};

const findDigest = ({ Message, MessageType }: z.output<typeof signSchema>): Buffer => {
  if (MessageType === 'RAW') {
    if (Message.length >= 1 && Message.length <= maxMessageBytes) {
      return createHash('sha256').update(Message).digest();
    }
    throw new ApiError('ValidationException', `Message must have 1 to ${maxMessageBytes} bytes`);
  }
  if (Message.length === digestBytes) return Message;
  throw new ApiError(
    'ValidationException',
    `Digest is invalid length for algorithm ${algorithm}: ${Message.length} bytes`,
  );
};

/** Answers one call with a key. @throws {ApiError} with AWS's error */
type KeyOperation = (key: StoredKey, body: JsonObject) => JsonObject;

const operations: Readonly<Record<string, KeyOperation>> = {
  GetPublicKey: ({ arn, privateKey }) => ({
    KeyId: arn,
    PublicKey: createPublicKey(privateKey)
      .export({ format: 'der', type: 'spki' })
      .toString('base64'),
    CustomerMasterKeySpec: 'ECC_NIST_P256',
    KeySpec: 'ECC_NIST_P256',
    KeyUsage: 'SIGN_VERIFY',
    SigningAlgorithms: [algorithm],
  }),
  Sign: ({ arn, privateKey }, body) => ({
    KeyId: arn,
    Signature: signDigest(findDigest(parse(signSchema, body)), privateKey).toString('base64'),
    SigningAlgorithm: algorithm,
  }),
};

export const createKeyManagement = (keys: readonly StoredKey[]): KeyManagement => ({
  handle: (operation, body) => {
    const run = operations[operation];
    if (run === undefined) {
      throw new ApiError('UnsupportedOperationException', `kms.${operation} is not emulated`);
    }
    const { KeyId } = body;
    const key = keys.find(({ id, arn }) => KeyId === id || KeyId === arn);
    if (key === undefined) {
      throw new ApiError('NotFoundException', `Key '${String(KeyId)}' does not exist`);
    }
    return run(key, body);
  },
});
