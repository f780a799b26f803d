import {
  hasTokenExpired,
  parseTokenList,
  type TokenEntry,
  TokenListError,
} from '../../shared/domain/tokens/token-list.ts';

/** An entry of the token list: its text and its parsed value. */
interface WrittenEntry {
  readonly text: string;
  /** Undefined for a malformed entry, which authenticates nobody. */
  readonly entry: TokenEntry | undefined;
}

/** The columns of an entry in the output of `list`. */
export interface EntryDescription {
  readonly label: string;
  readonly scopes: string;
  readonly fingerprint: string;
  /** Day of creation, and the day from which the token is refused; empty if the entry does not say it. */
  readonly created: string;
  readonly expires: string;
  readonly written: string;
  /** When the token was last used; only with `--used`. */
  readonly used?: string;
}

/** The entries with this label, this fingerprint, or both. */
export interface EntrySelection {
  readonly label?: string | undefined;
  readonly fingerprint?: string | undefined;
}

const fingerprintDigits = 16;

/** Returns the fingerprint of a token, as responses and logs show it: the first digits of its SHA-256. */
export const toFingerprint = ({ digest }: TokenEntry): string =>
  digest.toString('hex').slice(0, fingerprintDigits);

const readEntry = (text: string): TokenEntry | undefined => {
  try {
    return parseTokenList(text).entries[0];
  } catch (error) {
    if (error instanceof TokenListError) return undefined;
    throw error;
  }
};

/**
 * Splits a token list into its entries.
 * @throws {TokenListError} for a value that is not a token list
 */
export const splitEntries = (value: string): WrittenEntry[] => {
  parseTokenList(value);
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((text) => text !== '')
    .map((text) => ({ text, entry: readEntry(text) }));
};

const joinEntries = (entries: readonly WrittenEntry[]): string =>
  entries.map(({ text }) => text).join(',');

/** Returns the list with one more entry. @throws {TokenListError} for a value that is not a token list */
export const addEntry = (value: string, text: string): string =>
  joinEntries([...splitEntries(value), { text, entry: readEntry(text) }]);

const isSelected =
  ({ label, fingerprint }: EntrySelection) =>
  ({ entry }: WrittenEntry): boolean =>
    entry !== undefined &&
    (label === undefined || entry.label === label) &&
    (fingerprint === undefined || toFingerprint(entry) === fingerprint.toLowerCase());

/** Returns the selected entries in the order of the list, the newest last. */
export const findEntries = (value: string, selection: EntrySelection): readonly TokenEntry[] =>
  splitEntries(value)
    .filter(isSelected(selection))
    .flatMap(({ entry }) => entry ?? []);

/** Returns the list without these entries. Undefined if no valid entry is left, which would switch authentication off. */
export const removeEntries = (
  value: string,
  fingerprints: ReadonlySet<string>,
): string | undefined => {
  const kept = splitEntries(value).filter(
    ({ entry }) => entry === undefined || !fingerprints.has(toFingerprint(entry)),
  );
  return kept.some(({ entry }) => entry) ? joinEntries(kept) : undefined;
};

/** Returns the scopes of a token, as its entry has them. */
export const describeScopes = ({ scopes }: TokenEntry): string => scopes.join('+');

const emptyRow = { label: '', scopes: '', fingerprint: '', created: '', expires: '' };

const formatDay = (date: Date | undefined): string => date?.toISOString().slice(0, 10) ?? '';

const formatExpiry = (entry: TokenEntry): string =>
  hasTokenExpired(entry, Date.now()) ? 'expired' : formatDay(entry.expires);

/** Returns the rows of `list`, without tokens. */
export const describeEntries = (value: string): EntryDescription[] =>
  splitEntries(value).map(({ text, entry }, at) => {
    if (!entry) {
      const malformed = `malformed, entry ${at + 1}: authenticates nobody`;
      return { ...emptyRow, written: malformed };
    }
    const isShort = parseTokenList(text).short.length > 0;
    const isDigest = /(?:^|:)sha256:[0-9a-f]{64}(?:;|$)/i.test(text);
    const plaintext = isShort ? 'plaintext, less than 32 characters' : 'plaintext';
    return {
      label: entry.label ?? '',
      scopes: describeScopes(entry),
      fingerprint: toFingerprint(entry),
      created: formatDay(entry.created),
      expires: formatExpiry(entry),
      written: isDigest ? 'digest' : plaintext,
    };
  });
