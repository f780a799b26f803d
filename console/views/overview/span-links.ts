import { formatAddress } from '../../address/address.ts';
import type { Span } from './day-spans.ts';

/** The lists of activity that a number can open. */
export type ActivityList =
  | 'submitted'
  | 'approved'
  | 'rejected'
  | 'expired'
  | 'decided'
  | 'by-people'
  | 'by-policy';

/** Returns the address of the events in some days. */
export const linkToActivity = (type: ActivityList, { from, to }: Span): string =>
  formatAddress({ view: 'activity', query: { type, from, to } });

/** Returns the days in words: `2026-01-31`, or `2026-01-25 to 2026-01-31`. */
export const nameSpan = ({ from, to }: Span): string => (from === to ? from : `${from} to ${to}`);

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const formatDay = (date: string): string => {
  const moment = Date.parse(date);
  return Number.isNaN(moment) ? date : day.format(moment);
};

/** Returns the first and the last day for the scale of a chart: `3 Feb`. */
export const nameEnds = ({ from, to }: Span): [first: string, last: string] => [
  formatDay(from),
  formatDay(to),
];
