import { createHash, timingSafeEqual } from 'node:crypto';
import type { Actor } from '../domain/actor.ts';

/** One accepted token, by its digest alone. */
interface TokenEntry {
  readonly label: string | null;
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
/** A hash's name in front of anything but a digest is a digest gone wrong, not a label: the digest is no token. */
const reservedLabel = /^\s*sha-?\d+\s*$/i;

export const tokenDigest = (token: string): Buffer => createHash('sha256').update(token).digest();

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
  if (!plain?.['token'] || reservedLabel.test(plain['label'] ?? '')) return undefined;
  const short = plain['token'].length < recommendedLength;
  return { label: plain['label']?.trim() || null, digest: tokenDigest(plain['token']), short };
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

/** Who presents this token; undefined if no entry matches. Compares every entry, so that time tells nothing. */
export const findToken = (list: TokenList, token: string): Actor | undefined => {
  const presented = tokenDigest(token);
  let match: TokenEntry | undefined;
  for (const entry of list.entries) {
    if (timingSafeEqual(entry.digest, presented)) match ??= entry;
  }
  return match && { label: match.label, fingerprint: presented.toString('hex').slice(0, 16) };
};
