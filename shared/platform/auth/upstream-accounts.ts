import * as z from 'zod';
import { findUpstreamSecretArn } from '../../api/settings/env.ts';
import { parseJson } from '../../util/json.ts';
import { logEvent } from '../../util/log.ts';
import type { FindAuthorization } from '../../util/outbound-http/accounts.ts';
import { type CachedValue, createCachedValue } from './cached-value.ts';
import { readSecret } from './token-secret.ts';

/**
 * Limits of the accounts, in milliseconds. After a refused account, or while the secret cannot be read, an instance reads the
 * secret at most every 30 seconds, because requests wait for it.
 */
const limits = {
  lifetimeMs: 300_000,
  refreshIntervalMs: 30_000,
  firstRetryMs: 30_000,
  staleLimitMs: 3_600_000,
};

/** Account with a name and a password. Basic authentication ends a user name at its first colon (RFC 7617). */
const NamedAccount = z
  .strictObject({ username: z.string().regex(/^[^:]+$/), password: z.string().min(1) })
  .transform(
    ({ username, password }) =>
      `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  );

/** Account with a token (RFC 6750). Other characters could add a header. */
const TokenAccount = z
  .strictObject({ token: z.string().regex(/^[\x21-\x7e]+$/) })
  .transform(({ token }) => `Bearer ${token}`);

/** Host as URLs have it, with its port unless that is the default. */
const Host = z.string().regex(/^[^\s/@A-Z]+$/);

/** Values of the header `Authorization` by host. */
const Accounts = z.record(Host, z.union([NamedAccount, TokenAccount]));

type AccountsByHost = ReadonlyMap<string, string>;

/**
 * Returns the accounts in the text of the secret, by the hosts that receive them.
 * @throws {Error} for another content. Its message has no part of the content.
 */
const parseAccounts = (text: string): AccountsByHost => {
  const parsed = Accounts.safeParse(parseJson(text));
  if (parsed.success) return new Map(Object.entries(parsed.data));
  throw new Error(
    'The secret is no JSON object such as {"HOST": {"username": "NAME", "password": "PASSWORD"}, "OTHER-HOST": {"token": "TOKEN"}}',
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
 * Returns the search for the authorization at an upstream service by its host; undefined without the setting. Without a readable
 * secret, it finds none, so that public services still work.
 */
export const createFindAuthorization = (): FindAuthorization | undefined => {
  const arn = findUpstreamSecretArn();
  if (arn === undefined) return undefined;
  accounts ??= createCachedValue({
    ...limits,
    load: async () => parseAccounts(await readUnquoted(arn)),
    now: Date.now,
    noteFailure: (error) => logEvent('error', 'upstream_accounts_not_loaded', { error }),
  });
  const known = accounts;
  return async (host, refused) => {
    const current = (await known.current())?.get(host);
    if (refused === undefined || refused !== (current ?? '')) return current;
    return (await known.refreshed())?.get(host);
  };
};
