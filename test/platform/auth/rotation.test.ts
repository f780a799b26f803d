import { type RunningSecret, startSecret } from '@package-registry/local-aws';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settingVariables, tokensEnv } from '../../../shared/api/resources.ts';
import { rotateTokens } from '../../../shared/platform/auth/rotate-tokens.ts';
import { readSecret } from '../../../shared/platform/auth/token-secret.ts';
import type { RotationEvent } from '../../../shared/platform/worker/events/rotation-event.ts';
import { pointSecretsAt } from '../../support/secrets.ts';

/** Rotations of a secret in a Secrets Manager double, without a Lambda function. */

const generated = 'G'.repeat(43);
const ops = 'ci:a-token-of-more-than-thirty-two-characters';
const version = '11111111-2222-3333-4444-555555555555';

let secret: RunningSecret;
let lines: string[];

const start = async (value?: string): Promise<void> => {
  secret = await startSecret(value);
  pointSecretsAt(secret.endpoint);
  process.env[tokensEnv] = secret.arn;
  process.env[settingVariables.keptTokens] = '1';
};

beforeEach(async () => {
  lines = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  await start(`${generated},${ops}`);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await secret.close();
});

const step = (Step: Exclude<RotationEvent, Record<string, never>>['Step'], SecretId = secret.arn) =>
  rotateTokens({ Step, SecretId, ClientRequestToken: version });
const list = () => readSecret(secret.arn);
const readVersion = async (body: Record<string, string>): Promise<unknown> =>
  (await secret.handle('GetSecretValue', body))['SecretString'];
const listStages = async (): Promise<Record<string, string[]>> =>
  Object(await secret.handle('DescribeSecret'))['VersionIdsToStages'];
const rotated = (tokens: string): RegExp => new RegExp(`^rotated:[\\w-]{43},${tokens}$`);

describe('a rotation', () => {
  it('runs all steps by hand, and returns the new version', async () => {
    await rotateTokens({});

    expect(await list()).toMatch(rotated(`rotated:${generated},${ops}`));
    const logged = lines.map((line) => JSON.parse(line));
    expect(logged).toEqual([
      { level: 'info', event: 'tokens_rotated', version: expect.stringMatching(/^[\w-]{36}$/) },
    ]);
    expect(Object.keys(await listStages())).toContain(logged[0].version);
  });

  it('refuses a list without room for the new token, and changes nothing', async () => {
    const full = `${generated},${ops}`.padEnd(65_536, 'x');
    await secret.handle('PutSecretValue', { SecretString: full });

    await expect(rotateTokens({})).rejects.toThrow(
      /^The token list would have 65\d{3} of at most 65536 bytes, and stays as it is: revoke /,
    );
    expect(await list()).toBe(full);
  });

  it('creates a list that becomes valid only at the end, and logs that once', async () => {
    await step('createSecret');
    const pending = await readVersion({ VersionStage: 'AWSPENDING' });
    await step('setSecret');
    await step('testSecret');
    const before = [await list(), [...lines]];
    await step('finishSecret');

    expect(pending).toMatch(rotated(`rotated:${generated},${ops}`));
    expect(before).toEqual([`${generated},${ops}`, []]);
    expect(await list()).toBe(pending);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { event: 'tokens_rotated', version },
    ]);
  });

  it('keeps its version if the first step runs twice', async () => {
    await step('createSecret');
    const made = await readVersion({ VersionId: version });
    await step('createSecret');

    expect(await readVersion({ VersionId: version })).toBe(made);
  });

  it('removes its staging label', async () => {
    await step('createSecret');
    const stages = (await listStages())[version]?.toSorted();
    await step('finishSecret');

    expect(stages).toEqual(['AWSPENDING', expect.stringMatching(/^DERIVED_FROM_./)]);
    expect((await listStages())[version]).toEqual(['AWSCURRENT']);
  });

  it('does not replace a list that ops stored meanwhile, and removes its label', async () => {
    await step('createSecret');
    await secret.handle('PutSecretValue', { SecretString: ops });

    await expect(step('finishSecret')).rejects.toThrow(
      'The token list was changed during its rotation; start the rotation again',
    );

    expect(await list()).toBe(ops);
    expect((await listStages())[version] ?? []).toEqual([]);
    expect(lines).toEqual([]);
  });

  it('is finished twice without change', async () => {
    await step('createSecret');
    await step('finishSecret');
    const made = await list();
    await step('finishSecret');

    expect(await list()).toBe(made);
    expect((await listStages())[version]).toEqual(['AWSCURRENT']);
  });

  it('is not finished without a start', async () => {
    await expect(step('finishSecret')).rejects.toThrow(
      'There is no pending token list to finish with',
    );
  });

  it.each(['createSecret', 'finishSecret'] as const)('refuses another secret: %s', async (name) => {
    await expect(step(name, 'another')).rejects.toThrow(
      'This function rotates the token list only',
    );

    expect(await list()).toBe(`${generated},${ops}`);
  });

  it('keeps the configured number of tokens', async () => {
    process.env[settingVariables.keptTokens] = '2';
    for (let time = 0; time < 4; time += 1) await rotateTokens({});

    const entries = (await list()).split(',');
    expect(entries).toHaveLength(4);
    expect(entries.at(-1)).toBe(ops);
  });

  it('checks only the pending list', async () => {
    const put = (SecretString: string, id: string) =>
      secret.handle('PutSecretValue', {
        SecretString,
        ClientRequestToken: id,
        VersionStages: ['AWSPENDING'],
      });
    await put('{"is":"JSON"}', version);
    await expect(step('testSecret')).rejects.toThrow('is JSON');

    await put(ops, `${version.slice(0, -1)}6`);
    // The version is no longer the pending one.
    await expect(step('testSecret')).rejects.toThrow();
  });

  it('creates nothing from a malformed list, so that a retry is possible', async () => {
    await secret.handle('PutSecretValue', { SecretString: 'two words' });

    await expect(step('createSecret')).rejects.toThrow('malformed entries only');

    expect(Object.keys(await listStages())).not.toContain(version);
  });

  it('creates nothing from binary or missing secrets', async () => {
    const message = 'secret holds no text';
    await secret.handle('PutSecretValue', { SecretBinary: 'AAEC' });
    await expect(step('createSecret')).rejects.toThrow(message);
    await expect(list()).rejects.toThrow(message);

    await secret.close();
    await start();
    await expect(step('createSecret')).rejects.toThrow("can't find");
  });
});
