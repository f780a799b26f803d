import { InvalidArgumentError } from 'commander';
import * as z from 'zod';
import type { Approval } from '../../shared/api/schemas/decision.ts';
import { maxApprovalDays } from '../../shared/domain/review/choose-expiry.ts';

const dayMs = 24 * 60 * 60_000;

/** The number of days that `90d` says; undefined for anything else. */
const readDays = (text: string): number | undefined => {
  const [, days] = /^([0-9]+)d$/.exec(text) ?? [];
  return days === undefined ? undefined : Number(days);
};

const Day = z.iso.date();
const Time = z.iso.datetime();

/** A day stands for its beginning, in UTC; a time for itself. Undefined for anything else. */
const readTime = (text: string): string | undefined => {
  if (!Day.safeParse(text).success && !Time.safeParse(text).success) return undefined;
  return new Date(text).toISOString();
};

const timeRule = 'a day such as 2027-01-31, or a time such as 2027-01-31T12:00:00Z';

/**
 * Reads until when an approval shall hold, and leaves nothing of what a file says of that. Days are left to the clock of
 * the registry.
 * @throws {InvalidArgumentError} for what is neither days nor a time
 */
export const readExpiry = (text: string): Pick<Approval, 'expires_at' | 'expires_in_days'> => {
  const expires_in_days = readDays(text);
  if (expires_in_days !== undefined && expires_in_days >= 1 && expires_in_days <= maxApprovalDays) {
    return { expires_in_days, expires_at: undefined };
  }
  const expires_at = readTime(text);
  if (expires_at !== undefined) return { expires_at, expires_in_days: undefined };
  throw new InvalidArgumentError(
    `It must be from 1d to ${maxApprovalDays}d, as days from now, ${timeRule}.`,
  );
};

const toDate = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();

const longestAcceptance = 365;

/**
 * Reads until when a vulnerability shall be accepted.
 * @throws {InvalidArgumentError} for what is neither days nor a time
 */
export const readAcceptanceEnd = (text: string): { readonly expires_at: string } => {
  const days = readDays(text);
  if (days !== undefined && days >= 1 && days <= longestAcceptance) {
    return { expires_at: toDate(days) };
  }
  const expires_at = readTime(text);
  if (expires_at !== undefined) return { expires_at };
  throw new InvalidArgumentError(
    `It must be from 1d to ${longestAcceptance}d, as days from now, ${timeRule}.`,
  );
};

const longestDays = 36_500;

/** Reads a time to come, which may be given as days from now. What is neither may be a place in a list: the registry knows. */
export const readMomentAhead = (text: string): string => {
  const days = readDays(text);
  if (days === undefined || days > longestDays) return readTime(text) ?? text;
  return toDate(days);
};

/** Reads a time, which may be given as a day. What is neither may be a place in a list: the registry knows. */
export const readMoment = (text: string): string => readTime(text) ?? text;
