import { createToken, writeDigestEntry } from '../../../shared/domain/tokens/new-token.ts';
import { type Scope, scopes } from '../../../shared/domain/tokens/scope.ts';
import { endsInScope, isTokenLabel } from '../../../shared/domain/tokens/token-label.ts';
import { longestIdentity } from '../../../shared/util/characters.ts';
import { UsageError } from '../../input/usage-error.ts';

/** A token, its entry for the registry's token list, and what to do with both. */
interface NewToken {
  readonly token: string;
  readonly entry: string;
  readonly advice: string;
}

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

/**
 * Makes a URL-safe token of 256 random bits.
 * @throws {UsageError} for a label that no entry can have, or only one with scopes, and for a scope without a label
 */
export const makeToken = ({ label, scope }: TokenOwner): NewToken => {
  if (label !== undefined && !isTokenLabel(label)) {
    throw new UsageError(
      `--label must be a name of at most ${longestIdentity} characters such as ci, without colons, commas and slashes, and without signs that look like a slash.`,
    );
  }
  if (scope !== undefined && label === undefined) {
    throw new UsageError('--scope needs --label: say whose token it is.');
  }
  if (label !== undefined && scope === undefined && endsInScope(label)) {
    throw new UsageError(
      `"${label}" ends in the name of a scope, and the token would be for everything: give --scope too.`,
    );
  }
  const token = createToken();
  const scopes = scope === undefined ? undefined : [scope];
  const entry = writeDigestEntry(token, { label: label?.trim(), scopes });
  return { token, entry, advice };
};
