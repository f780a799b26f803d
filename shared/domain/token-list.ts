import { hash } from 'node:crypto';
import { isHashName } from './token-label.ts';

/** One accepted token, by its digest alone. */
export interface TokenEntry {
  readonly label: string | null;
  /** The token's SHA-256, 32 bytes. */
  readonly digest: Buffer;
}

/** What the secret's value says. `malformed` and `short` are 1-based positions in the list. */
export interface TokenList {
  readonly entries: readonly TokenEntry[];
  readonly malformed: readonly number[];
  readonly short: readonly number[];
}

const recommendedLength = 32;
const digestEntry = /^(?:(?<label>[^:]+):)?sha256:(?<digest>[0-9a-f]{64})$/i;
const plainEntry = /^(?:(?<label>[^:]+):)?(?<token>[A-Za-z0-9._~-]+)$/;

/** The SHA-256 of a token, 32 bytes. */
export const digestToken = (token: string): Buffer => hash('sha256', token, 'buffer');

interface ParsedEntry extends TokenEntry {
  readonly short: boolean;
}

const parseEntry = (text: string): ParsedEntry | undefined => {
  const hashed = digestEntry.exec(text)?.groups;
  if (hashed?.['digest']) {
    const digest = Buffer.from(hashed['digest'], 'hex');
    return { label: hashed['label']?.trim() || null, digest, short: false };
  }
  const plain = plainEntry.exec(text)?.groups;
  if (!plain?.['token'] || isHashName(plain['label'] ?? '')) return undefined;
  const short = plain['token'].length < recommendedLength;
  return { label: plain['label']?.trim() || null, digest: digestToken(plain['token']), short };
};

/** Reads the comma-separated list: `token`, `label:token`, `sha256:digest` or `label:sha256:digest`, blanks and duplicates dropped. */
export const parseTokenList = (value: string): TokenList => {
  const entries = new Map<string, TokenEntry>();
  const malformed: number[] = [];
  const short: number[] = [];
  for (const [index, part] of value.split(',').entries()) {
    const text = part.trim();
    if (text === '') continue;
    const entry = parseEntry(text);
    if (!entry) malformed.push(index + 1);
    else {
      if (entry.short) short.push(index + 1);
      const key = entry.digest.toString('hex');
      if (!entries.has(key)) entries.set(key, { label: entry.label, digest: entry.digest });
    }
  }
  return { entries: [...entries.values()], malformed, short };
};

/**
 * Says why a list must not be judged by; undefined if it may. Nothing but malformed entries is a broken secret, not an
 * empty list: an empty list would open the registry.
 */
export const findListFault = ({ entries, malformed }: TokenList): string | undefined =>
  entries.length === 0 && malformed.length > 0 ? 'the list has malformed entries only' : undefined;
