import { createHash, randomBytes } from 'node:crypto';
import { UsageError } from './usage-error.ts';

/** A token, the entry for the registry's list, and what to do with both. */
export interface NewToken {
  readonly token: string;
  readonly entry: string;
  readonly advice: string;
}

const tokenBytes = 32;

const advice = `
Give the token to its owner: it is not shown again. It works as REGISTRY_TOKEN.
Add the entry to the registry's comma-separated token list; it holds only the token's digest.
`;

/** What the registry's token list can hold before a colon, and does not mistake for a digest. */
const isLabel = (label: string): boolean =>
  label.trim() !== '' && !/[:,\p{Cc}]/u.test(label) && !/^\s*sha-?\d+\s*$/i.test(label);

/**
 * Makes a URL-safe token of 256 random bits.
 * @throws {UsageError} for a label that no entry can have
 */
export const newToken = (label?: string): NewToken => {
  if (label !== undefined && !isLabel(label)) {
    throw new UsageError('--label must be a name without colons and commas, such as ci.');
  }
  const token = randomBytes(tokenBytes).toString('base64url');
  const digest = createHash('sha256').update(token).digest('hex');
  const entry = [...(label === undefined ? [] : [label.trim()]), 'sha256', digest].join(':');
  return { token, entry, advice };
};
