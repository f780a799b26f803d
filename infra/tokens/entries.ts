import {
  parseTokenList,
  type TokenEntry,
  TokenListError,
} from '../../shared/domain/tokens/token-list.ts';

/** An entry of the token list, as it is written and as it reads. */
interface WrittenEntry {
  readonly text: string;
  /** Undefined where it is malformed; then it lets nobody in. */
  readonly entry: TokenEntry | undefined;
}

/** An entry for people. */
export interface EntryDescription {
  readonly label: string;
  readonly scopes: string;
  readonly fingerprint: string;
  readonly written: string;
}

/** Which entries are meant. */
export interface EntrySelection {
  readonly label?: string | undefined;
  readonly fingerprint?: string | undefined;
}

const fingerprintDigits = 16;

/** What tells tokens apart in answers and logs: the first digits of their SHA-256. */
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
 * @throws {TokenListError} for a value that is none as a whole
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

/** @throws {TokenListError} for a value that is none */
export const addEntry = (value: string, text: string): string =>
  joinEntries([...splitEntries(value), { text, entry: readEntry(text) }]);

const isMeant =
  ({ label, fingerprint }: EntrySelection) =>
  ({ entry }: WrittenEntry): boolean =>
    entry !== undefined &&
    (label === undefined || entry.label === label) &&
    (fingerprint === undefined || toFingerprint(entry) === fingerprint.toLowerCase());

/** The entries that are meant, in the order of the list; the newest comes last. */
export const findEntries = (value: string, selection: EntrySelection): readonly TokenEntry[] =>
  splitEntries(value)
    .filter(isMeant(selection))
    .flatMap(({ entry }) => entry ?? []);

/** The list without these; without any that lets somebody in, it would let in everybody. */
export const removeEntries = (
  value: string,
  fingerprints: ReadonlySet<string>,
): string | undefined => {
  const kept = splitEntries(value).filter(
    ({ entry }) => entry === undefined || !fingerprints.has(toFingerprint(entry)),
  );
  return kept.some(({ entry }) => entry) ? joinEntries(kept) : undefined;
};

/** What a token is for, as its entry says it. */
export const describeScopes = ({ scopes }: TokenEntry): string => scopes.join('+');

/** The entries of a list for people, without any token. */
export const describeEntries = (value: string): EntryDescription[] =>
  splitEntries(value).map(({ text, entry }, at) => {
    if (!entry) {
      const malformed = `malformed, entry ${at + 1}: lets nobody in`;
      return { label: '', scopes: '', fingerprint: '', written: malformed };
    }
    const isShort = parseTokenList(text).short.length > 0;
    const isDigest = /(?:^|:)sha256:[0-9a-f]{64}$/i.test(text);
    const clear = isShort ? 'in clear, less than 32 characters' : 'in clear';
    return {
      label: entry.label ?? '',
      scopes: describeScopes(entry),
      fingerprint: toFingerprint(entry),
      written: isDigest ? 'as its digest' : clear,
    };
  });
