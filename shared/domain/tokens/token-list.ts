import { hash } from 'node:crypto';
import { parseJson } from '../../util/json.ts';
import { scopes as allScopes, readScopes, type Scope } from './scope.ts';
import { endsInScope, isTokenLabel } from './token-label.ts';

/** One accepted token, by its digest alone. */
export interface TokenEntry {
  readonly label: string | null;
  readonly scopes: readonly Scope[];
  /** The token's SHA-256, 32 bytes. */
  readonly digest: Buffer;
}

/** What the secret's value says. `malformed` and `short` are 1-based positions in the list. */
export interface TokenList {
  readonly entries: readonly TokenEntry[];
  readonly malformed: readonly number[];
  readonly short: readonly number[];
}

/** A value that is no token list, and must not be taken for an empty one. The message follows the name of the list. */
export class TokenListError extends Error {
  override readonly name = 'TokenListError';
}

/** What an absent list stands for. */
const emptyList = ',';

/** The one way to say that there are no tokens, as a secret cannot hold nothing. All else without a token is a mistake. */
const isEmptyList = (value: string): boolean => /^[ \t\r\n]*,[ \t\r\n]*$/.test(value);

const recommendedLength = 32;
const digestEntry =
  /^(?:(?<label>[^:/]+)(?:\/(?<scopes>[^:]*))?:)?sha256:(?<digest>[0-9a-f]{64})$/i;
const plainEntry = /^(?:(?<label>[^:/]+)(?:\/(?<scopes>[^:]*))?:)?(?<token>[A-Za-z0-9._~-]+)$/;

/** The SHA-256 of a token, 32 bytes. */
export const digestToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** What programs write where they have no value: nobody issued that. */
const valueNames = /^(?:null|undefined|nan|true|false)$/i;

interface ParsedEntry extends TokenEntry {
  readonly short: boolean;
}

const parseEntry = (text: string): ParsedEntry | undefined => {
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
  const entry = { label: label?.trim() ?? null, scopes };
  if (digest) return { ...entry, digest: Buffer.from(digest, 'hex'), short: false };
  if (token === '' || valueNames.test(token)) return undefined;
  return { ...entry, digest: digestToken(token), short: token.length < recommendedLength };
};

/** What a token is for that the list has twice: what both entries say, under the label of the first. */
const intersect = (first: TokenEntry | undefined, { label, scopes, digest }: TokenEntry) =>
  first
    ? { ...first, scopes: first.scopes.filter((scope) => scopes.includes(scope)) }
    : { label, scopes, digest };

/**
 * Whether somebody's JSON was put where the list belongs, or into it: its pieces between commas can look like tokens. What
 * has the quotes or brackets of JSON is taken for it, whole or broken; numbers and literals are JSON where they stand alone.
 */
const isJson = (value: string): boolean => /["{}[\]]/.test(value) || parseJson(value) !== undefined;

/** What is wrong with the value as a whole, whatever its entries look like. */
const checkValue = (value: string): void => {
  if (/^[,\s]*$/.test(value) && !isEmptyList(value)) {
    throw new TokenListError('is blank; a list without tokens is ","');
  }
  if (isJson(value.trim())) {
    throw new TokenListError('is JSON or has some in it, and is no comma-separated list of tokens');
  }
};

/**
 * Reads the comma-separated list: `token` or `label:token`, or `label/scope:token` with scopes as `submit`, `review` or
 * `submit+review`, and `sha256:digest` in place of any token. Blanks are dropped; of a token that stands there twice the
 * first label counts, and the scopes that both have. Only `,` and no value at all are a list without tokens, which would open the registry.
 * @throws {TokenListError} for JSON, for blanks, and where no entry is well-formed
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
