import * as z from 'zod';
import { findImageRegistrySecretArn } from '../../api/settings/env.ts';
import { parseJson } from '../../util/json.ts';
import { logEvent } from '../../util/log.ts';
import { type CachedValue, createCachedValue } from './cached-value.ts';
import { readSecret } from './token-secret.ts';

/**
 * Limits of the accounts, in milliseconds. A secret that cannot be read is requested again after five minutes, too: requests
 * to registries wait for it.
 */
const limits = {
  lifetimeMs: 300_000,
  refreshIntervalMs: 300_000,
  firstRetryMs: 300_000,
  staleLimitMs: 3_600_000,
};

/** Account at one image registry. Basic authentication ends a user name at its first colon (RFC 7617). */
const Account = z
  .strictObject({ username: z.string().regex(/^[^:]+$/), password: z.string().min(1) })
  .readonly();
type Account = z.output<typeof Account>;

const Accounts = z.record(z.string(), Account);

type AccountsByHost = ReadonlyMap<string, Account>;

/**
 * Returns the accounts in the text of the secret by the hosts of their registries.
 * @throws {Error} for another content. Its message has no part of the content.
 */
const parseAccounts = (text: string): AccountsByHost => {
  const parsed = Accounts.safeParse(parseJson(text));
  if (parsed.success) return new Map(Object.entries(parsed.data));
  throw new Error(
    'The secret is no JSON object such as {"HOST": {"username": "NAME", "password": "PASSWORD"}}',
  );
};

/** Returns the text of a secret. The error for a malformed response does not quote it, because logs have errors. */
const readUnquoted = async (arn: string): Promise<string> => {
  try {
    return await readSecret(arn);
  } catch (error) {
    if (error instanceof SyntaxError) throw new Error('Secrets Manager sent a malformed response');
    throw error;
  }
};

/** Accounts of this function instance. */
let accounts: CachedValue<AccountsByHost> | undefined;

/**
 * Returns the search for the credentials of an image registry by its host. Without a readable secret, it finds none, so that
 * public registries still work.
 */
export const createFindCredentials = () => {
  const arn = findImageRegistrySecretArn();
  if (arn === undefined) return async () => undefined;
  accounts ??= createCachedValue({
    ...limits,
    load: async () => parseAccounts(await readUnquoted(arn)),
    now: Date.now,
    noteFailure: (error) => logEvent('error', 'registry_credentials_not_loaded', { error }),
  });
  const known = accounts;
  return async (host: string): Promise<Account | undefined> => (await known.current())?.get(host);
};
