import { randomBytes } from 'node:crypto';
import { dropMilliseconds } from '../../util/drop-milliseconds.ts';
import type { Scope } from './scope.ts';
import { digestToken } from './token-list.ts';

const tokenBytes = 32;

/** Returns a new URL-safe token: 256 random bits in 43 characters. */
export const createToken = (): string => randomBytes(tokenBytes).toString('base64url');

/** Label, scopes and dates of a token; all scopes by default. */
export interface TokenOwner {
  readonly label?: string | undefined;
  readonly scopes?: readonly Scope[] | undefined;
  readonly created: Date;
  readonly expires?: Date | undefined;
}

/** Dates of an entry are exact to the second. */
const formatDate = (date: Date): string => dropMilliseconds(date.toISOString());

/** Returns the token list entry of a token. It contains the digest instead of the token. */
export const writeDigestEntry = (
  token: string,
  { label, scopes, created, expires }: TokenOwner,
): string => {
  const owner = scopes === undefined ? label : `${label}/${scopes.join('+')}`;
  const digest = digestToken(token).toString('hex');
  const entry = [...(owner === undefined ? [] : [owner]), 'sha256', digest].join(':');
  const until = expires ? [`expires=${formatDate(expires)}`] : [];
  return [entry, `created=${formatDate(created)}`, ...until].join(';');
};
