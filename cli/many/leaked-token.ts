import type { JsonObject } from '../../shared/util/json.ts';
import { readMoment } from '../input/moments.ts';
import { UsageError } from '../input/usage-error.ts';

/** The submissions or scans of a leaked token that a command undoes. */
export interface Selection {
  readonly label: string;
  readonly reason: string;
  /** Returns whether an ISO 8601 time is in the period. */
  readonly includes: (at: string | null) => boolean;
  /** Epoch milliseconds. */
  readonly since: number;
}

const readText = (flags: JsonObject, name: string, meaning: string): string => {
  const text = flags[name];
  if (typeof text === 'string' && text.trim() !== '') return text;
  throw new UsageError(`--since needs --${name}: ${meaning}.`);
};

const readTime = (text: unknown, name: string): number => {
  const ms = Date.parse(readMoment(String(text)));
  if (/^\d{4}-/.test(String(text)) && !Number.isNaN(ms)) return ms;
  throw new UsageError(
    `--${name} must be a day such as 2026-11-20, or a time such as 2026-11-20T08:00:00Z.`,
  );
};

/**
 * Reads the label, the reason and the period from flags.
 * @param others flags that do not go with `--since`
 * @throws {UsageError} if a flag is missing, invalid, or does not go with `--since`
 */
export const readSelection = (flags: JsonObject, others: readonly string[]): Selection => {
  const other = others.find((name) => flags[name] !== undefined);
  const typed = other?.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
  if (other)
    throw new UsageError(`--${typed} does not go with --since, which is about all packages.`);
  const label = readText(flags, 'label', 'the label of the tokens');
  const reason = readText(flags, 'reason', 'the reason for all of them');
  const since = readTime(flags['since'], 'since');
  const until = flags['until'] === undefined ? Infinity : readTime(flags['until'], 'until');
  const includes = (at: string | null): boolean =>
    at !== null && Date.parse(at) >= since && Date.parse(at) < until;
  return { label, reason, includes, since };
};
