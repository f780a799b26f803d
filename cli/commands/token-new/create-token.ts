import { createToken, writeDigestEntry } from '../../../shared/domain/tokens/new-token.ts';
import { type Scope, scopes } from '../../../shared/domain/tokens/scope.ts';
import { endsInScope, isTokenLabel } from '../../../shared/domain/tokens/token-label.ts';
import { longestIdentity } from '../../../shared/util/characters.ts';
import { UsageError } from '../../input/usage-error.ts';

/** A token, its entry for the token list of the registry, and the next step. */
interface NewToken {
  readonly token: string;
  readonly entry: string;
  readonly advice: string;
}

const advice = `
Give the token to its owner, for REGISTRY_TOKEN: it is not shown again.
Add the entry to the comma-separated token list of the registry. It has only the digest of the token.
`;

/** The scopes of tokens. */
export const tokenScopes: readonly Scope[] = scopes;

/** The owner and the scope of a token; every scope unless given. */
export interface TokenOwner {
  readonly label?: string;
  readonly scope?: Scope;
  readonly expires?: Date;
}

/**
 * Creates a URL-safe token of 256 random bits.
 * @throws {UsageError} for an invalid label, and for a scope without a label
 */
export const makeToken = ({ label, scope, expires }: TokenOwner): NewToken => {
  if (label !== undefined && !isTokenLabel(label)) {
    throw new UsageError(
      `--label must be a name such as ci, of at most ${longestIdentity} characters, without colons, commas, slashes and signs that look like a slash.`,
    );
  }
  if (scope !== undefined && label === undefined) {
    throw new UsageError('--scope needs --label, the owner of the token.');
  }
  if (label !== undefined && scope === undefined && endsInScope(label)) {
    throw new UsageError(
      `"${label}" ends in the name of a scope, but the token would have every scope: add --scope.`,
    );
  }
  const token = createToken();
  const scopes = scope === undefined ? undefined : [scope];
  const entry = writeDigestEntry(token, {
    label: label?.trim(),
    scopes,
    created: new Date(),
    expires,
  });
  return { token, entry, advice };
};
