import { randomUUID } from 'node:crypto';
import type { AwsHooks } from '@package-registry/local-aws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { functionOf } from '../support/functions.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';

const generated = 'G'.repeat(43);
const managed = 'ci-token-of-more-than-thirty-two-characters';
const steps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

describe('the rotation of tokens', () => {
  const hooks: AwsHooks = {};
  let registry: TestRegistry;
  let secretId: string;
  let arn: string;

  beforeEach(async () => {
    registry = await TestRegistry.start({ hooks, tokens: `${generated},ci:${managed}` });
    const [secret] = Object.values(registry.stack.model.secrets);
    secretId = secret?.id ?? '';
    arn = secret?.arn ?? '';
  });
  afterEach(async () => {
    hooks.onRequest = undefined;
    await registry.close();
  });

  const list = (): Promise<string> => registry.stack.secrets.get(secretId);
  const invoke = (event: unknown) =>
    registry.stack.invoke(functionOf(registry.stack.model, 'rotate-tokens').id, event);
  const step = (Step: string, ClientRequestToken: string) =>
    invoke({ Step, SecretId: arn, ClientRequestToken, RotationToken: 'x' });
  const fetchSecretsManager = async (operation: string, body: object): Promise<void> => {
    const { endpoints, credentials } = registry.stack;
    const { status } = await fetch(endpoints.aws, {
      method: 'POST',
      headers: {
        Authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20260101/x/x/aws4_request`,
        'X-Amz-Target': `secretsmanager.${operation}`,
      },
      body: JSON.stringify(body),
    });
    expect(status).toBe(200);
  };
  const accepts = async (token: string): Promise<boolean> =>
    (await registry.post(packagePath('nobody', '/approve'), {}, { token })).status === 404;

  const newest = async (): Promise<string> => (await list()).split(',')[0]?.split(':')[1] ?? '';

  it('by hand makes a strong new token and leaves the one before and those of ops', async () => {
    await invoke({});

    const token = await newest();
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await list()).toBe(`rotated:${token},rotated:${generated},ci:${managed}`);
    expect(await Promise.all([token, generated, managed].map(accepts))).toEqual([true, true, true]);
  });

  it('drops what is older than the overlap', async () => {
    await invoke({});
    const first = await newest();
    await invoke({});

    expect(await list()).toBe(`rotated:${await newest()},rotated:${first},ci:${managed}`);
  });

  it('can repeat each step of Secrets Manager, also after an answer was lost', async () => {
    const token = randomUUID();

    for (const name of steps) {
      await step(name, token);
      await step(name, token);
    }
    const rotated = await list();
    for (const name of ['createSecret', 'finishSecret']) await step(name, token);

    expect(rotated.split(',')).toHaveLength(3);
    expect(await list()).toBe(rotated);
  });

  it('does not bring back a token that was revoked meanwhile, and can start anew', async () => {
    const token = randomUUID();
    for (const name of steps.slice(0, 3)) await step(name, token);
    await registry.stack.secrets.put(secretId, `rotated:${generated}`);

    await expect(step('finishSecret', token)).rejects.toThrow('start the rotation again');
    const kept = await list();
    await invoke({});

    expect(kept).toBe(`rotated:${generated}`);
    expect(await list()).toBe(`rotated:${await newest()},rotated:${generated}`);
  });

  it('accepts the copy of the current list by which Secrets Manager tries out a new schedule', async () => {
    const token = randomUUID();
    await fetchSecretsManager('PutSecretValue', {
      SecretId: arn,
      ClientRequestToken: token,
      SecretString: await list(),
      VersionStages: ['AWSPENDING'],
    });

    await expect(step('testSecret', token)).resolves.not.toThrow();
    expect(await list()).toBe(`${generated},ci:${managed}`);
  });

  it('refuses another secret, an unknown step and a finish without a beginning', async () => {
    const token = randomUUID();

    await expect(
      invoke({ Step: 'createSecret', SecretId: 'other', ClientRequestToken: token }),
    ).rejects.toThrow();
    await expect(step('dropSecret', token)).rejects.toThrow();
    await expect(step('finishSecret', token)).rejects.toThrow();
    expect(await list()).toBe(`${generated},ci:${managed}`);
  });

  it.each([
    ['{"token": "x"}', 'is JSON'],
    ['two words', 'malformed entries only'],
    [' ', 'is blank'],
  ])('never makes a list of %j, and says why', async (value, why) => {
    await registry.stack.secrets.put(secretId, value);

    await expect(invoke({})).rejects.toThrow(why);
    expect(await list()).toBe(value);
  });

  it('never logs a token', async () => {
    await invoke({});

    const token = await newest();
    await expect.poll(() => registry.logs.length).toBeGreaterThan(0);
    expect(JSON.stringify(registry.logs)).not.toMatch(
      new RegExp(`${token}|${generated}|${managed}`),
    );
  });
});
