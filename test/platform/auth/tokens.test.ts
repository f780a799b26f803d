import { type RunningSecret, startSecret } from 'local-aws';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settingVariables, tokensEnv } from '../../../shared/api/resources.ts';
import { pointSecretsAt } from '../../support/secrets.ts';

/** What an instance of a function says of the list that it reads, which it does each minute. */

const long = 'a-token-of-more-than-thirty-two-characters';

let secret: RunningSecret;
let lines: string[];

beforeEach(async () => {
  lines = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line));
    return true;
  });
  vi.useFakeTimers({ toFake: ['Date'], now: 0 });
  vi.resetModules();
  secret = await startSecret(',');
  process.env[tokensEnv] = secret.arn;
  process.env[settingVariables.requireTokens] = 'false';
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await secret.close();
});

/** Lets the time go by that a list serves, and resolves to what is said when it is read again. */
const readAgain = async (value?: string): Promise<unknown[]> => {
  const { tokens } = await import('../../../shared/platform/auth/tokens.ts');
  const { secretsManager } = await import('../../../shared/platform/auth/token-secret.ts');
  pointSecretsAt(secret.endpoint, secretsManager);
  if (value !== undefined) await secret.handle('PutSecretValue', { SecretString: value });
  vi.setSystemTime(Date.now() + 60_000);
  lines = [];
  await tokens.current();
  return lines.map((line) => JSON.parse(line));
};

describe('the list of an instance', () => {
  it('is said to be off each time that nothing is in it', async () => {
    const off = [{ level: 'warn', event: 'authentication_off' }];

    expect(await readAgain()).toEqual(off);
    expect(await readAgain()).toEqual(off);
    expect(await readAgain(long)).toEqual([]);
  });

  it('is not off where tokens are required', async () => {
    process.env[settingVariables.requireTokens] = 'true';

    expect(await readAgain()).toEqual([]);
  });

  it('has what is wrong with it said once, and again when that changes', async () => {
    const wrong = `${long},two words,short`;
    const told = [
      { level: 'warn', event: 'token_entries_malformed', positions: [2] },
      { level: 'warn', event: 'tokens_short', positions: [3] },
    ];

    expect(await readAgain(wrong)).toEqual(told);
    expect(await readAgain(wrong)).toEqual([]);
    expect(await readAgain(`${long},short`)).toEqual([
      { level: 'warn', event: 'tokens_short', positions: [2] },
    ]);
    expect(await readAgain(`${long},two words`)).toEqual([
      { level: 'warn', event: 'token_entries_malformed', positions: [2] },
    ]);
    expect(await readAgain(long)).toEqual([]);
    expect(await readAgain(wrong)).toEqual(told);
  });

  it('is said not to have been read, and why', async () => {
    expect(await readAgain('{"is":"JSON"}')).toMatchObject([
      {
        level: 'error',
        event: 'token_list_not_loaded',
        error: { message: expect.stringContaining('is JSON') },
      },
    ]);
  });
});
