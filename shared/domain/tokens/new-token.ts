import { randomBytes } from 'node:crypto';
import type { Scope } from './scope.ts';
import { digestToken } from './token-list.ts';

const tokenBytes = 32;

/** Returns a new URL-safe token: 256 random bits in 43 characters. */
export const createToken = (): string => randomBytes(tokenBytes).toString('base64url');

/** Label and scopes of a token; all scopes by default. */
export interface TokenOwner {
  readonly label?: string | undefined;
  readonly scopes?: readonly Scope[] | undefined;
}

/** Returns the token list entry of a token. It contains the digest instead of the token. */
export const writeDigestEntry = (token: string, { label, scopes }: TokenOwner): string => {
  const owner = scopes === undefined ? label : `${label}/${scopes.join('+')}`;
  const digest = digestToken(token).toString('hex');
  return [...(owner === undefined ? [] : [owner]), 'sha256', digest].join(':');
};
