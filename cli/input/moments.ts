import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import type { Approval } from '../../shared/api/schemas/decision.ts';
import { maxApprovalDays } from '../../shared/domain/review/choose-expiry.ts';
import { dayMs } from '../../shared/util/duration.ts';

/** Parses a number of days such as `90d`; undefined for other text. */
const readDays = (text: string): number | undefined => {
  const [, days] = /^([0-9]+)d$/.exec(text) ?? [];
  return days === undefined ? undefined : Number(days);
};

const Day = z.iso.date();
const Time = z.iso.datetime();

/** Parses a day, as its start in UTC, or a time; undefined for other text. */
const readTime = (text: string): string | undefined => {
  if (!Day.safeParse(text).success && !Time.safeParse(text).success) return undefined;
  return new Date(text).toISOString();
};

const timeRule = 'a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z';

/**
 * Parses the expiry date of an approval. Both fields are set, so that they replace those of a file. The registry counts days
 * from its own clock.
 * @throws {InvalidArgumentError} for text that is neither days nor a time
 */
export const readExpiry = (text: string): Pick<Approval, 'expires_at' | 'expires_in_days'> => {
  const expires_in_days = readDays(text);
  if (expires_in_days !== undefined && expires_in_days >= 1 && expires_in_days <= maxApprovalDays) {
    return { expires_in_days, expires_at: undefined };
  }
  const expires_at = readTime(text);
  if (expires_at !== undefined) return { expires_at, expires_in_days: undefined };
  throw new InvalidArgumentError(
    `It must be days from now, from 1d to ${maxApprovalDays}d, ${timeRule}.`,
  );
};

const toDate = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();

const longestAcceptance = 365;

/**
 * Parses the expiry date of a risk acceptance.
 * @throws {InvalidArgumentError} for text that is neither days nor a time
 */
export const readAcceptanceEnd = (text: string): { readonly expires_at: string } => {
  const days = readDays(text);
  if (days !== undefined && days >= 1 && days <= longestAcceptance) {
    return { expires_at: toDate(days) };
  }
  const expires_at = readTime(text);
  if (expires_at !== undefined) return { expires_at };
  throw new InvalidArgumentError(
    `It must be days from now, from 1d to ${longestAcceptance}d, ${timeRule}.`,
  );
};

const longestDays = 36_500;

/** Parses a future time, which may be days from now. Other text is passed on, as it may be a cursor. */
export const readMomentAhead = (text: string): string => {
  const days = readDays(text);
  if (days === undefined || days > longestDays) return readTime(text) ?? text;
  return toDate(days);
};

/** Parses a time, which may be a day. Other text is passed on, as it may be a cursor. */
export const readMoment = (text: string): string => readTime(text) ?? text;
