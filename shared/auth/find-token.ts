import { timingSafeEqual } from 'node:crypto';
import type { Actor } from '../domain/actor.ts';
import { digestToken, type TokenEntry, type TokenList } from '../domain/token-list.ts';

/** Finds who presents this token; undefined if no entry matches. Compares every entry, so that time tells nothing. */
export const findToken = (list: TokenList, token: string): Actor | undefined => {
  const presented = digestToken(token);
  let match: TokenEntry | undefined;
  for (const entry of list.entries) {
    if (timingSafeEqual(entry.digest, presented)) match ??= entry;
  }
  return match && { label: match.label, fingerprint: presented.toString('hex').slice(0, 16) };
};
