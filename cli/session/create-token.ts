import { randomBytes } from 'node:crypto';
import { longestIdentity } from '../../shared/domain/characters.ts';
import { type Scope, scopes } from '../../shared/domain/scope.ts';
import { isTokenLabel } from '../../shared/domain/token-label.ts';
import { digestToken } from '../../shared/domain/token-list.ts';
import { UsageError } from '../input/usage-error.ts';

/** A token, its entry for the registry's token list, and what to do with both. */
interface NewToken {
  readonly token: string;
  readonly entry: string;
  readonly advice: string;
}

const tokenBytes = 32;

const advice = `
Give the token to its owner: it is not shown again. It works as REGISTRY_TOKEN.
Add the entry to the registry's comma-separated token list; it holds only the token's digest.
`;

/** What a token may be for alone. */
export const tokenScopes: readonly Scope[] = scopes;

/** Whose token it is, and what it is for: everything, if not given. */
export interface TokenOwner {
  readonly label?: string;
  readonly scope?: Scope;
}

/** What an entry has before its token. */
const listOwnerParts = ({ label, scope }: TokenOwner): string[] => {
  if (label === undefined) return [];
  return [scope === undefined ? label.trim() : `${label.trim()}/${scope}`];
};

/**
 * Makes a URL-safe token of 256 random bits.
 * @throws {UsageError} for a label that no entry can have, and for a scope without a label
 */
export const createToken = (owner: TokenOwner): NewToken => {
  const { label, scope } = owner;
  if (label !== undefined && !isTokenLabel(label)) {
    throw new UsageError(
      `--label must be a name of at most ${longestIdentity} characters without colons, commas and slashes, such as ci.`,
    );
  }
  if (scope !== undefined && label === undefined) {
    throw new UsageError('--scope needs --label: say whose token it is.');
  }
  const token = randomBytes(tokenBytes).toString('base64url');
  const digest = digestToken(token).toString('hex');
  const entry = [...listOwnerParts(owner), 'sha256', digest].join(':');
  return { token, entry, advice };
};
