import { randomBytes } from 'node:crypto';
import type { Scope } from './scope.ts';
import { digestToken } from './token-list.ts';

const tokenBytes = 32;

/** A URL-safe token of 256 random bits, 43 characters. */
export const createToken = (): string => randomBytes(tokenBytes).toString('base64url');

/** Whose token it is, and what it is for: everything, if not said. */
export interface TokenOwner {
  readonly label?: string | undefined;
  readonly scopes?: readonly Scope[] | undefined;
}

/** The entry of a token in the token list, which holds its digest and not the token. */
export const writeDigestEntry = (token: string, { label, scopes }: TokenOwner): string => {
  const owner = scopes === undefined ? label : `${label}/${scopes.join('+')}`;
  const digest = digestToken(token).toString('hex');
  return [...(owner === undefined ? [] : [owner]), 'sha256', digest].join(':');
};
