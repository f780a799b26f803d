import { readScopes } from '../../domain/tokens/scope.ts';

/** Label of the entries that rotation creates and removes. Entries with other labels stay unchanged. */
const rotatedLabel = 'rotated';

/** Length of the token that Secrets Manager generates on the first deploy: letters and digits, without a label. */
export const generatedTokenLength = 43;
const generatedToken = new RegExp(`^[A-Za-z0-9]{${generatedTokenLength}}$`);

const ownPrefix = new RegExp(`^${rotatedLabel}(?:/(?<scopes>[^:]*))?:`);

/** Returns the prefix of an entry that rotation owns: its label, and its scopes if given; undefined for other entries. */
const findPrefix = (entry: string): string | undefined => {
  const match = ownPrefix.exec(entry);
  const scopes = match?.groups?.['scopes'];
  // An entry with invalid scopes accepts no token, so rotation must not put a valid token there.
  return scopes !== undefined && !readScopes(scopes) ? undefined : match?.[0];
};

const isRotated = (entry: string): boolean => findPrefix(entry) !== undefined;

interface SplitList {
  /** Entries that rotation owns, newest first. */
  readonly owned: readonly string[];
  readonly others: readonly string[];
}

/** Splits a list by owner. Before the first rotation, the generated token is the first entry and has no label yet. */
const splitList = (value: string): SplitList => {
  const entries = value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const owned = entries.filter(isRotated);
  const [first = '', ...rest] = entries;
  if (owned.length === 0 && generatedToken.test(first)) {
    return { owned: [`${rotatedLabel}:${first}`], others: rest };
  }
  return { owned, others: entries.filter((entry) => !isRotated(entry)) };
};

/**
 * Returns the list with a new token at the front, and with only the newest `kept` earlier tokens of rotation. The new token
 * has the scopes of the newest earlier one. A list without entries of rotation stays unchanged: operators removed the
 * entry, and a new token could turn authentication on.
 */
export const rotateList = (value: string, newToken: string, kept: number): string => {
  const { owned, others } = splitList(value);
  const prefix = findPrefix(owned[0] ?? '');
  if (prefix === undefined) return value;
  return [`${prefix}${newToken}`, ...owned.slice(0, kept), ...others].join(',');
};
