import type { DayStatistics } from '../../../shared/api/schemas/statistics.ts';

/** What happened in a span of days, which a picture shows as one bar. */
export interface Span {
  /** The first day and the last one, ISO 8601; the same where it is one. */
  readonly from: string;
  readonly to: string;
  readonly submitted: number;
  readonly approved: number;
  readonly rejected: number;
  readonly expired: number;
  readonly byRule: number;
  /** How many versions were decided on for the first time. */
  readonly decided: number;
  /** How long those had waited, on average; null where there were none. */
  readonly meanHours: number | null;
}

const add = (
  days: readonly DayStatistics[],
  name: 'submitted' | 'approved' | 'rejected' | 'expired' | 'by_rule' | 'decided',
) => days.reduce((sum, day) => sum + day[name], 0);

/** Some days as one; each decision counts the same, on whatever day it was. */
export const sumDays = (days: readonly DayStatistics[]): Span => {
  const decided = add(days, 'decided');
  const hours = days.reduce((sum, day) => sum + (day.mean_hours_to_decision ?? 0) * day.decided, 0);
  return {
    from: days[0]?.date ?? '',
    to: days.at(-1)?.date ?? '',
    submitted: add(days, 'submitted'),
    approved: add(days, 'approved'),
    rejected: add(days, 'rejected'),
    expired: add(days, 'expired'),
    byRule: add(days, 'by_rule'),
    decided,
    meanHours: decided === 0 ? null : hours / decided,
  };
};

/** As many bars as a narrow screen can tell apart. */
const mostBars = 100;

/** Days as bars: each by itself, or each week of a long time, the last one whole. */
export const toSpans = (days: readonly DayStatistics[]): Span[] => {
  const length = days.length > mostBars ? 7 : 1;
  const first = days.length % length;
  const starts = Array.from(
    { length: Math.ceil((days.length - first) / length) },
    (_, at) => first + at * length,
  );
  const parts = starts.map((start) => days.slice(start, start + length));
  return [...(first > 0 ? [days.slice(0, first)] : []), ...parts].map(sumDays);
};

const minute = 1 / 60;

/** A duration in hours as people say it: `40 min`, `5.2 h`, `3.1 d`. */
export const formatHours = (hours: number): string => {
  const round = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
  if (hours < minute) return 'under 1 min';
  if (hours < 1) return `${Math.round(hours / minute)} min`;
  return hours < 48 ? `${round(hours)} h` : `${round(hours / 24)} d`;
};
