import { type RunningSecret, startSecret } from '@package-registry/local-aws';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settingVariables, tokensEnv } from '../../../shared/api/resources.ts';
import { pointSecretsAt } from '../../support/secrets.ts';

/** The log lines of a function instance about the token list, which it reads each minute. */

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

/** Waits until the list expires, and resolves to the log lines of the next read. */
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

describe('the token list of an instance', () => {
  it('logs that authentication is off on each read of an empty list', async () => {
    const off = [{ level: 'warn', event: 'authentication_off' }];

    expect(await readAgain()).toEqual(off);
    expect(await readAgain()).toEqual(off);
    expect(await readAgain(long)).toEqual([]);
  });

  it('is not off if tokens are required', async () => {
    process.env[settingVariables.requireTokens] = 'true';

    expect(await readAgain()).toEqual([]);
  });

  it('logs its faults once, and again after a change', async () => {
    const wrong = `${long},two words,short`;
    const logged = [
      { level: 'warn', event: 'token_entries_malformed', positions: [2] },
      { level: 'warn', event: 'tokens_short', positions: [3] },
    ];

    expect(await readAgain(wrong)).toEqual(logged);
    expect(await readAgain(wrong)).toEqual([]);
    expect(await readAgain(`${long},short`)).toEqual([
      { level: 'warn', event: 'tokens_short', positions: [2] },
    ]);
    expect(await readAgain(`${long},two words`)).toEqual([
      { level: 'warn', event: 'token_entries_malformed', positions: [2] },
    ]);
    expect(await readAgain(long)).toEqual([]);
    expect(await readAgain(wrong)).toEqual(logged);
  });

  it('logs a list that is nearly full, with its bytes, once', async () => {
    const fill = (bytes: number): string => `${long},`.padEnd(bytes, 'x');
    const logged = (bytes: number) => [
      { level: 'warn', event: 'token_list_nearly_full', bytes, limit: 65_536 },
    ];

    expect(await readAgain(fill(52_000))).toEqual([]);
    expect(await readAgain(fill(53_000))).toEqual(logged(53_000));
    expect(await readAgain()).toEqual([]);
    expect(await readAgain(fill(60_000))).toEqual(logged(60_000));
    expect(await readAgain(long)).toEqual([]);
  });

  it('logs a failed read with its reason', async () => {
    expect(await readAgain('{"is":"JSON"}')).toMatchObject([
      {
        level: 'error',
        event: 'token_list_not_loaded',
        error: { message: expect.stringContaining('is JSON') },
      },
    ]);
  });
});
