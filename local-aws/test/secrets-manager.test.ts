import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../src/json.ts';
import { openSecretStore } from '../src/secrets/secret-store.ts';
import { createSecretsManager, type SecretsManager } from '../src/secrets/secrets-manager.ts';
import { secretArn } from '../src/template/names.ts';

const arn = secretArn('Password');

/** Returns a version id, which has at least 32 characters. */
const version = (name: string): string => name.padEnd(32, '-');
const [v1, v2, v3] = [version('1'), version('2'), version('3')];

let directory: string;
let manager: SecretsManager;

const open = async (file?: string): Promise<SecretsManager> => {
  const store = await openSecretStore(file);
  if (store.secrets.length === 0) {
    store.add({ name: 'Password', arn, versions: {}, createdAt: 0, changedAt: 0 });
  }
  return createSecretsManager(store);
};

const ask = (operation: string, body: JsonObject = {}): Promise<JsonObject> =>
  manager.handle(operation, { SecretId: arn, ...body });

const put = (SecretString: string, ClientRequestToken: string, more: JsonObject = {}) =>
  ask('PutSecretValue', { SecretString, ClientRequestToken, ...more });

/** Resolves to staging labels by version id. */
const stages = async (): Promise<unknown> => (await ask('DescribeSecret'))['VersionIdsToStages'];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'secrets-'));
  manager = await open();
});

afterEach(() => rmSync(directory, { recursive: true }));

describe('a value', () => {
  it('has no current version until one is put', async () => {
    await expect(ask('GetSecretValue')).rejects.toMatchObject({
      code: 'ResourceNotFoundException',
    });
  });

  it.each([
    ['ARN', arn],
    ['ARN without the random characters', arn.slice(0, -'-AbCdEf'.length)],
    ['name', 'Password'],
  ])('is found by its %s', async (_, SecretId) => {
    await put('a', v1);

    const value = await ask('GetSecretValue', { SecretId });

    expect(value).toMatchObject({ ARN: arn, SecretString: 'a', VersionStages: ['AWSCURRENT'] });
  });

  it('moves AWSCURRENT, and the version before becomes AWSPREVIOUS', async () => {
    await put('a', v1);
    await put('b', v2);
    await put('c', v3);

    const current = await ask('GetSecretValue');
    const previous = await ask('GetSecretValue', { VersionStage: 'AWSPREVIOUS' });

    expect([current['SecretString'], previous['SecretString']]).toEqual(['c', 'b']);
    expect(await stages()).toEqual({ [v3]: ['AWSCURRENT'], [v2]: ['AWSPREVIOUS'] });
  });

  it('leaves AWSCURRENT where it is when it is put as pending', async () => {
    await put('a', v1);
    await put('b', v2, { VersionStages: ['AWSPENDING'] });

    expect((await ask('GetSecretValue'))['SecretString']).toBe('a');
    expect((await ask('GetSecretValue', { VersionId: v2 }))['SecretString']).toBe('b');
    expect(await stages()).toEqual({ [v1]: ['AWSCURRENT'], [v2]: ['AWSPENDING'] });
  });

  it('is put once when the same request comes again', async () => {
    await put('a', v1);
    await put('b', v2);

    const again = await put('a', v1);

    expect(again).toMatchObject({ VersionId: v1, VersionStages: ['AWSPREVIOUS'] });
    expect((await ask('GetSecretValue'))['SecretString']).toBe('b');
  });

  it('may be binary', async () => {
    await ask('PutSecretValue', { SecretBinary: 'AAE=' });

    const value = await ask('GetSecretValue');

    expect(value).toMatchObject({ SecretBinary: 'AAE=' });
    expect(value).not.toHaveProperty('SecretString');
  });
});

describe('a staging label', () => {
  beforeEach(async () => {
    await put('a', v1);
    await put('b', v2, { VersionStages: ['AWSPENDING'] });
  });

  it('moves AWSCURRENT to the pending version', async () => {
    await ask('UpdateSecretVersionStage', {
      VersionStage: 'AWSCURRENT',
      MoveToVersionId: v2,
      RemoveFromVersionId: v1,
    });

    expect(await stages()).toEqual({ [v1]: ['AWSPREVIOUS'], [v2]: ['AWSPENDING', 'AWSCURRENT'] });
  });

  it('is removed', async () => {
    await ask('UpdateSecretVersionStage', { VersionStage: 'AWSPENDING', RemoveFromVersionId: v2 });

    expect(await stages()).toEqual({ [v1]: ['AWSCURRENT'] });
  });
});

describe('a wrong request', () => {
  beforeEach(async () => {
    await put('a', v1);
    await put('b', v2, { VersionStages: ['AWSPENDING'] });
  });

  it.each<[string, string, JsonObject, string]>([
    ['an unknown secret', 'GetSecretValue', { SecretId: 'Other' }, 'ResourceNotFoundException'],
    ['an unknown label', 'GetSecretValue', { VersionStage: 'X' }, 'ResourceNotFoundException'],
    ['an unknown version', 'GetSecretValue', { VersionId: v3 }, 'ResourceNotFoundException'],
    [
      'a version without the label',
      'GetSecretValue',
      { VersionId: v2, VersionStage: 'AWSCURRENT' },
      'InvalidRequestException',
    ],
    ['an empty value', 'PutSecretValue', { SecretString: '' }, 'InvalidParameterException'],
    ['no value', 'PutSecretValue', {}, 'InvalidParameterException'],
    [
      'a version id that is taken',
      'PutSecretValue',
      { SecretString: 'c', ClientRequestToken: v1 },
      'ResourceExistsException',
    ],
    [
      'a removal of AWSCURRENT',
      'UpdateSecretVersionStage',
      { VersionStage: 'AWSCURRENT', RemoveFromVersionId: v1 },
      'InvalidParameterException',
    ],
    [
      'a move that does not name the holder',
      'UpdateSecretVersionStage',
      { VersionStage: 'AWSCURRENT', MoveToVersionId: v2 },
      'InvalidParameterException',
    ],
    ['an unknown operation', 'DeleteSecret', {}, 'UnknownOperationException'],
  ])('is refused: %s', async (_, operation, body, code) => {
    await expect(ask(operation, body)).rejects.toMatchObject({ code });
  });
});

describe('the file', () => {
  it('has every answered change, and no temporary files', async () => {
    const file = join(directory, 'secrets.json');
    manager = await open(file);
    await put('a', v1);
    await put('b', v2);

    manager = await open(file);

    expect((await ask('GetSecretValue'))['SecretString']).toBe('b');
    expect(readdirSync(directory)).toEqual(['secrets.json']);
  });
});
