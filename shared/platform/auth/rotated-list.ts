import { readScopes } from '../../domain/tokens/scope.ts';

/** The label of the entries that rotation makes and drops. All others are left as they are. */
const rotatedLabel = 'rotated';

/** What the stack lets Secrets Manager generate on the first deploy: letters and digits, without a label. */
export const generatedTokenLength = 43;
const generatedToken = new RegExp(`^[A-Za-z0-9]{${generatedTokenLength}}$`);

const ownPrefix = new RegExp(`^${rotatedLabel}(?:/(?<scopes>[^:]*))?:`);

/** What an entry that rotation owns has before its token: the label, and the scopes if it says some. */
const findPrefix = (entry: string): string | undefined => {
  const match = ownPrefix.exec(entry);
  const scopes = match?.groups?.['scopes'];
  // One that lets nobody in has no place in which a new token would.
  return scopes !== undefined && !readScopes(scopes) ? undefined : match?.[0];
};

const isRotated = (entry: string): boolean => findPrefix(entry) !== undefined;

interface SplitList {
  /** The entries that rotation owns, newest first. */
  readonly owned: readonly string[];
  readonly others: readonly string[];
}

/** Before the first rotation, what the deploy generated is the list's first entry, and has no label yet. */
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
 * The list with a new token, which goes first and is for what the newest before it was for, and with the newest `kept` of
 * those that it follows. A list in which rotation owns nothing stays as it is: ops took its entry out, and a new one could
 * switch authentication on.
 */
export const rotateList = (value: string, newToken: string, kept: number): string => {
  const { owned, others } = splitList(value);
  const prefix = findPrefix(owned[0] ?? '');
  if (prefix === undefined) return value;
  return [`${prefix}${newToken}`, ...owned.slice(0, kept), ...others].join(',');
};
