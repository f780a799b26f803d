import { hash } from 'node:crypto';
import { parseJson } from '../../util/json.ts';
import { scopes as allScopes, readScopes, type Scope } from './scope.ts';
import { endsInScope, isTokenLabel } from './token-label.ts';

/** Accepted token, stored as its digest. */
export interface TokenEntry {
  readonly label: string | null;
  readonly scopes: readonly Scope[];
  /** SHA-256 of the token, 32 bytes. */
  readonly digest: Buffer;
  /** When the token was created; undefined if its entry does not say it. */
  readonly created?: Date | undefined;
  /** The token is valid before this time; undefined if it does not expire. */
  readonly expires?: Date | undefined;
}

/** Parsed token list. `malformed` and `short` are 1-based positions in the list. */
export interface TokenList {
  readonly entries: readonly TokenEntry[];
  readonly malformed: readonly number[];
  readonly short: readonly number[];
}

/**
 * Error for a value that is not a token list and must not be treated as empty. Its message continues the name of the
 * list.
 */
export class TokenListError extends Error {
  override readonly name = 'TokenListError';
}

/** Value of an absent list. */
const emptyList = ',';

/**
 * True for `,`, the only form of an empty list, since a secret cannot be empty. All other values without a token are
 * mistakes.
 */
const isEmptyList = (value: string): boolean => /^[ \t\r\n]*,[ \t\r\n]*$/.test(value);

const recommendedLength = 32;
const digestEntry =
  /^(?:(?<label>[^:/]+)(?:\/(?<scopes>[^:]*))?:)?sha256:(?<digest>[0-9a-f]{64})$/i;
const plainEntry = /^(?:(?<label>[^:/]+)(?:\/(?<scopes>[^:]*))?:)?(?<token>[A-Za-z0-9._~-]+)$/;

/** Returns the SHA-256 of a token, 32 bytes. */
export const digestToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** Matches the text that programs write for missing values. These are never tokens. */
const valueNames = /^(?:null|undefined|nan|true|false)$/i;

interface ParsedEntry extends TokenEntry {
  readonly short: boolean;
}

const isoDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z)?$/;

const parseDate = (text: string): Date | undefined => {
  const date = new Date(isoDate.test(text) ? text : Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date;
};

/** Parses the dates after a token, such as `expires=2027-02-24`. Undefined if one is malformed or repeated. */
const parseDates = (
  texts: readonly string[],
): Pick<TokenEntry, 'created' | 'expires'> | undefined => {
  const dates: { created?: Date; expires?: Date } = {};
  for (const text of texts) {
    const [, name, value = ''] = /^\s*(created|expires)\s*=\s*(\S+)\s*$/.exec(text) ?? [];
    const date = parseDate(value);
    if ((name !== 'created' && name !== 'expires') || !date || dates[name]) return undefined;
    dates[name] = date;
  }
  return dates;
};

const parseEntry = (whole: string): ParsedEntry | undefined => {
  const [beforeDates = '', ...rest] = whole.split(';');
  const text = beforeDates.trim();
  const dates = parseDates(rest);
  if (!dates) return undefined;
  const {
    label,
    scopes: said,
    digest,
    token = '',
  } = (digestEntry.exec(text) ?? plainEntry.exec(text))?.groups ?? {};
  if (label !== undefined && !isTokenLabel(label)) return undefined;
  if (label !== undefined && said === undefined && endsInScope(label)) return undefined;
  const scopes = said === undefined ? allScopes : readScopes(said);
  if (!scopes) return undefined;
  const entry = { label: label?.trim() ?? null, scopes, ...dates };
  if (digest) return { ...entry, digest: Buffer.from(digest, 'hex'), short: false };
  if (token === '' || valueNames.test(token)) return undefined;
  return { ...entry, digest: digestToken(token), short: token.length < recommendedLength };
};

const findEarlier = (one: Date | undefined, other: Date | undefined): Date | undefined =>
  one && other ? new Date(Math.min(one.getTime(), other.getTime())) : (one ?? other);

/**
 * Merges two entries of the same token: the scopes that both have, with the label of the first, until the first of them
 * expires.
 */
const intersect = (
  first: TokenEntry | undefined,
  { label, scopes, digest, created, expires }: TokenEntry,
): TokenEntry => {
  if (!first)
    return { label, scopes, digest, ...(created && { created }), ...(expires && { expires }) };
  const earlier = findEarlier(first.expires, expires);
  return {
    ...first,
    scopes: first.scopes.filter((scope) => scopes.includes(scope)),
    ...(earlier && { expires: earlier }),
  };
};

/** Returns whether a token is no longer valid. */
export const hasTokenExpired = ({ expires }: TokenEntry, now: number): boolean =>
  expires !== undefined && expires.getTime() <= now;

/**
 * True if a value is JSON or contains some: pieces of it between commas can look like tokens. Quotes, braces or
 * brackets indicate JSON, also malformed. Numbers and literals count only if they are the whole value.
 */
const isJson = (value: string): boolean => /["{}[\]]/.test(value) || parseJson(value) !== undefined;

/** Checks the value as a whole, before its entries are parsed. */
const checkValue = (value: string): void => {
  if (/^[,\s]*$/.test(value) && !isEmptyList(value)) {
    throw new TokenListError('is blank; a list without tokens is ","');
  }
  if (isJson(value.trim())) {
    throw new TokenListError(
      'is JSON or contains JSON; it must be a comma-separated list of tokens',
    );
  }
};

/**
 * Parses a comma-separated token list. An entry is `token`, `label:token` or `label/scope:token`, with `submit`,
 * `review` or `submit+review` as scope. `sha256:digest` may replace each token. Dates may follow it:
 * `;created=2026-11-26;expires=2027-02-24`.
 * Blanks around entries are ignored. For a repeated token, the first label and the common scopes apply. Only `,` and an
 * absent value are lists without tokens, which would open the registry.
 * @throws {TokenListError} for JSON, for a blank value, and if no entry is well-formed
 */
export const parseTokenList = (value: string | undefined): TokenList => {
  const entries = new Map<string, TokenEntry>();
  const malformed: number[] = [];
  const short: number[] = [];
  const list = value ?? emptyList;
  checkValue(list);
  for (const [index, part] of list.split(',').entries()) {
    const text = part.trim();
    if (text === '') continue;
    const entry = parseEntry(text);
    if (!entry) malformed.push(index + 1);
    else {
      if (entry.short) short.push(index + 1);
      const key = entry.digest.toString('hex');
      entries.set(key, intersect(entries.get(key), entry));
    }
  }
  if (entries.size === 0 && malformed.length > 0) {
    throw new TokenListError(`has malformed entries only, at ${malformed.join(', ')}`);
  }
  return { entries: [...entries.values()], malformed, short };
};
