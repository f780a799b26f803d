import { timingSafeEqual } from 'node:crypto';
import type { Caller } from '../../domain/tokens/actor.ts';
import {
  digestToken,
  hasTokenExpired,
  type TokenEntry,
  type TokenList,
} from '../../domain/tokens/token-list.ts';
import type { TokenLoader } from './token-loader.ts';

/**
 * Returns the caller with this token; undefined without a match, and for an expired token. Compares every entry, against
 * timing attacks.
 */
export const findToken = (list: TokenList, token: string, now = Date.now()): Caller | undefined => {
  const presented = digestToken(token);
  let match: TokenEntry | undefined;
  for (const entry of list.entries) {
    if (timingSafeEqual(entry.digest, presented)) match ??= entry;
  }
  if (!match || hasTokenExpired(match, now)) return undefined;
  const { label, scopes, expires } = match;
  const fingerprint = presented.toString('hex').slice(0, 16);
  return { label, scopes, fingerprint, ...(expires && { expires }) };
};

/** Caller with a token, and the list that has the token. */
export interface FoundCaller {
  readonly caller: Caller;
  readonly list: TokenList;
}

/** Returns the caller with a token; undefined without a match. An unknown token triggers a refresh of the list. */
export const findCaller = async (
  list: TokenList,
  token: string,
  tokens: Pick<TokenLoader, 'refreshed'>,
): Promise<FoundCaller | undefined> => {
  const known = findToken(list, token);
  if (known) return { caller: known, list };
  const newer = (await tokens.refreshed()) ?? list;
  const caller = findToken(newer, token);
  return caller && { caller, list: newer };
};
