import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import type { Approval } from '../../shared/api/schemas/decision.ts';
import { maxApprovalDays } from '../../shared/domain/review/choose-expiry.ts';
import { dayMs, parseDuration } from '../../shared/util/duration.ts';

const Day = z.iso.date();
const Time = z.iso.datetime();

/** Parses a day, as its start in UTC, or a time; undefined for other text. */
const readTime = (text: string): string | undefined => {
  if (!Day.safeParse(text).success && !Time.safeParse(text).success) return undefined;
  return new Date(text).toISOString();
};

/** Returns the time after a duration from now. */
const toTime = (ms: number): string => new Date(Date.now() + ms).toISOString();

const durationRule = 'a duration such as 12h, 90d, 2w or 1y';
const timeRule = 'a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z';

/**
 * Parses the expiry date of an approval. Both fields are set, so that they replace those of a file. The registry counts days
 * from its own clock.
 * @throws {InvalidArgumentError} for text that is neither a duration nor a time
 */
export const readExpiry = (text: string): Pick<Approval, 'expires_at' | 'expires_in_days'> => {
  const ms = parseDuration(text) ?? Number.NaN;
  if (ms > 0 && ms <= maxApprovalDays * dayMs) {
    return Number.isInteger(ms / dayMs)
      ? { expires_in_days: ms / dayMs, expires_at: undefined }
      : { expires_at: toTime(ms), expires_in_days: undefined };
  }
  const expires_at = readTime(text);
  if (expires_at !== undefined) return { expires_at, expires_in_days: undefined };
  throw new InvalidArgumentError(
    `It must be ${durationRule} of at most ${maxApprovalDays} days, ${timeRule}.`,
  );
};

const longestAcceptance = 365;

/**
 * Parses the expiry date of a risk acceptance.
 * @throws {InvalidArgumentError} for text that is neither a duration nor a time
 */
export const readAcceptanceEnd = (text: string): { readonly expires_at: string } => {
  const ms = parseDuration(text) ?? Number.NaN;
  if (ms > 0 && ms <= longestAcceptance * dayMs) return { expires_at: toTime(ms) };
  const expires_at = readTime(text);
  if (expires_at !== undefined) return { expires_at };
  throw new InvalidArgumentError(
    `It must be ${durationRule} of at most ${longestAcceptance} days, ${timeRule}.`,
  );
};

const longestDays = 36_500;

/** Parses a future time, which may be a duration from now. Other text is passed on, as it may be a cursor. */
export const readMomentAhead = (text: string): string => {
  const ms = parseDuration(text);
  return ms === undefined || ms > longestDays * dayMs ? (readTime(text) ?? text) : toTime(ms);
};

/**
 * Parses the expiry date of a token.
 * @throws {InvalidArgumentError} for text that is neither a duration nor a time
 */
export const readTokenEnd = (text: string): Date => {
  const ms = parseDuration(text);
  const time = ms === undefined || ms === 0 ? readTime(text) : toTime(ms);
  if (time !== undefined) return new Date(time);
  throw new InvalidArgumentError(`It must be ${durationRule}, ${timeRule}.`);
};

/**
 * Parses a past time, which may be a day, or a duration before now.
 * @throws {InvalidArgumentError} for text that is neither a duration nor a time
 */
export const readPastMoment = (text: string): string => {
  const ms = parseDuration(text) ?? Number.NaN;
  const time = ms <= longestDays * dayMs ? toTime(-ms) : readTime(text);
  if (time !== undefined) return time;
  throw new InvalidArgumentError(`It must be ${durationRule}, ${timeRule}.`);
};

/** Parses a time, which may be a day. Other text is passed on, as it may be a cursor. */
export const readMoment = (text: string): string => readTime(text) ?? text;
