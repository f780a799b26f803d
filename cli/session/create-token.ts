import { randomBytes } from 'node:crypto';
import { longestIdentity } from '../../shared/domain/characters.ts';
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

/**
 * Makes a URL-safe token of 256 random bits.
 * @throws {UsageError} for a label that no entry can have
 */
export const createToken = (label?: string): NewToken => {
  if (label !== undefined && !isTokenLabel(label)) {
    throw new UsageError(
      `--label must be a name of at most ${longestIdentity} characters without colons and commas, such as ci.`,
    );
  }
  const token = randomBytes(tokenBytes).toString('base64url');
  const digest = digestToken(token).toString('hex');
  const entry = [...(label === undefined ? [] : [label.trim()]), 'sha256', digest].join(':');
  return { token, entry, advice };
};
