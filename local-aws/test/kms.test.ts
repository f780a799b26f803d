import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  GetPublicKeyCommand,
  KMSClient,
  type MessageType,
  ScheduleKeyDeletionCommand,
  SignCommand,
  type SigningAlgorithmSpec,
} from '@aws-sdk/client-kms';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openKeyStore } from '../src/kms/key-store.ts';
import { signDigest } from '../src/kms/sign-digest.ts';
import { keyArn } from '../src/template/names.ts';
import { useAws } from './fixture/aws.ts';
import { makeSigningKey } from './fixture/signing-key.ts';

const aws = useAws();
let kms: KMSClient;

beforeAll(() => {
  const { endpoint, principals } = aws;
  const credentials = principals.getCredentials('Probe');
  kms = new KMSClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
});

const hash = (message: Uint8Array): Buffer => createHash('sha256').update(message).digest();

const sign = async (
  Message: Uint8Array,
  MessageType: MessageType,
  more: { KeyId?: string; SigningAlgorithm?: SigningAlgorithmSpec } = {},
): Promise<Uint8Array> => {
  const { Signature } = await kms.send(
    new SignCommand({
      ...{ KeyId: keyArn('Signer'), SigningAlgorithm: 'ECDSA_SHA_256' },
      ...{ Message, MessageType, ...more },
    }),
  );
  return Signature ?? Buffer.of();
};

const readPublicKey = async (): Promise<KeyObject> => {
  const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId: 'Signer' }));
  return createPublicKey({ key: Buffer.from(PublicKey ?? ''), format: 'der', type: 'spki' });
};

describe('a signing key', () => {
  const message = Buffer.from('approved');

  it('has a public key that verifies its signatures of messages', async () => {
    const signature = await sign(message, 'RAW');

    expect(verify('sha256', message, await readPublicKey(), signature)).toBe(true);
    expect(verify('sha256', Buffer.from('rejected'), await readPublicKey(), signature)).toBe(false);
  });

  it('signs digests of messages of any length', async () => {
    const long = Buffer.alloc(10_000, 'x');

    const signature = await sign(hash(long), 'DIGEST');

    expect(verify('sha256', long, await readPublicKey(), signature)).toBe(true);
  });

  it('may be used by a role that its key policy names, for the named action only', async () => {
    const signature = await sign(message, 'RAW', { KeyId: 'Granted' });

    expect(signature.length).toBeGreaterThan(60);
    await expect(kms.send(new GetPublicKeyCommand({ KeyId: 'Granted' }))).rejects.toMatchObject({
      name: 'AccessDeniedException',
    });
  });

  it('describes itself as KMS does', async () => {
    const answer = await kms.send(new GetPublicKeyCommand({ KeyId: 'Signer' }));

    expect(answer).toMatchObject({
      KeyId: keyArn('Signer'),
      KeySpec: 'ECC_NIST_P256',
      KeyUsage: 'SIGN_VERIFY',
      SigningAlgorithms: ['ECDSA_SHA_256'],
    });
  });

  it.each([
    ['a message of more than 4,096 bytes', () => sign(Buffer.alloc(4097), 'RAW'), 'Validation'],
    ['a digest of another length', () => sign(Buffer.alloc(20), 'DIGEST'), 'Validation'],
    [
      'another algorithm',
      () => sign(message, 'RAW', { SigningAlgorithm: 'ECDSA_SHA_384' }),
      'Validation',
    ],
    [
      'a role that the key policy does not name',
      () => sign(message, 'RAW', { KeyId: 'Reserved' }),
      'Access',
    ],
    ['a role without permission', () => sign(message, 'RAW', { KeyId: 'OtherSigner' }), 'Access'],
    [
      'an operation without permission',
      () => kms.send(new ScheduleKeyDeletionCommand({ KeyId: 'Signer' })),
      'Access',
    ],
  ])('refuses %s', async (_, act, name) => {
    await expect(act()).rejects.toMatchObject({ name: expect.stringMatching(`^${name}`) });
  });

  it('refuses an unknown key and an operation that is not emulated', async () => {
    const { endpoint, principals } = aws;
    const credentials = principals.administrator;
    const client = new KMSClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });

    await expect(client.send(new GetPublicKeyCommand({ KeyId: 'None' }))).rejects.toMatchObject({
      name: 'NotFoundException',
    });
    await expect(
      client.send(new ScheduleKeyDeletionCommand({ KeyId: 'Signer' })),
    ).rejects.toMatchObject({ name: 'UnsupportedOperationException' });
  });

  it('makes signatures in DER, whatever their numbers are', async () => {
    const [key] = await openKeyStore(undefined, [makeSigningKey('Signer')]);
    if (!key) throw new Error('no key');
    const publicKey = createPublicKey(key.privateKey);
    const messages = Array.from({ length: 200 }, (_, at) => Buffer.from(`message ${at}`));

    const isValid = messages.map((one) =>
      verify('sha256', one, publicKey, signDigest(hash(one), key.privateKey)),
    );

    expect(isValid).not.toContain(false);
  });
});

describe('the file of signing keys', () => {
  let directory: string;
  let file: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'keys-'));
    file = join(directory, 'signing-keys.json');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const open = async (...ids: string[]): Promise<readonly string[]> => {
    const keys = await openKeyStore(
      file,
      ids.map((id) => makeSigningKey(id)),
    );
    return keys.map(({ privateKey }) => String(privateKey.export({ format: 'jwk' }).d));
  };

  it('keeps each key, also one that the template lost for a while', async () => {
    const [first] = await open('A');
    const both = await open('A', 'B');
    await open('B');

    expect(await open('A', 'B')).toEqual(both);
    expect(both[0]).toBe(first);
    expect(both[1]).not.toBe(first);
  });

  it('is for its owner only', async () => {
    await open('A');

    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain('PRIVATE KEY');
  });

  it('is not replaced where it cannot be read', async () => {
    writeFileSync(file, '{"A":');

    await expect(open('A')).rejects.toThrow(/signing-keys\.json cannot be read/);
    expect(readFileSync(file, 'utf8')).toBe('{"A":');
  });
});
