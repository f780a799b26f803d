import type { DayStatistics } from '../../../shared/api/schemas/statistics.ts';
import {
  findPercentile,
  sumWaits,
  waitLimits,
} from '../../../shared/domain/review/waiting-time.ts';

/** The statistics of some days, which a chart shows as one bar. */
export interface Span {
  /** The first and the last day, ISO 8601. */
  readonly from: string;
  readonly to: string;
  readonly submitted: number;
  readonly approved: number;
  readonly rejected: number;
  readonly expired: number;
  readonly byRule: number;
  /** The number of versions with their first decision. */
  readonly decided: number;
  /** The mean time to that decision in hours; null without one. */
  readonly meanHours: number | null;
  /** The number of those versions by their waiting time. */
  readonly waits: readonly number[];
}

const add = (
  days: readonly DayStatistics[],
  name: 'submitted' | 'approved' | 'rejected' | 'expired' | 'by_rule' | 'decided',
) => days.reduce((sum, day) => sum + day[name], 0);

/** Sums the statistics of some days. The mean weighs each decision equally. */
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
    waits: sumWaits(days),
  };
};

/** The most bars that a narrow screen can show. */
const maxBars = 100;

/** Divides days into parts of the same length. The last part is complete. */
const divide = (days: readonly DayStatistics[], length: number): Span[] => {
  const first = days.length % length;
  const starts = Array.from(
    { length: Math.ceil((days.length - first) / length) },
    (_, at) => first + at * length,
  );
  const parts = starts.map((start) => days.slice(start, start + length));
  return [...(first > 0 ? [days.slice(0, first)] : []), ...parts].map(sumDays);
};

/** Divides days into bars: one for each day, or for each week of a long time. */
export const toSpans = (days: readonly DayStatistics[]): Span[] =>
  days.length > maxBars ? toWeeks(days) : divide(days, 1);

/** Divides days into weeks, which end today. */
export const toWeeks = (days: readonly DayStatistics[]): Span[] => divide(days, 7);

const minute = 1 / 60;

/** Formats a duration in hours: `40 min`, `5.2 h`, `3.1 d`. */
export const formatHours = (hours: number): string => {
  const round = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
  if (hours < minute) return 'under 1 min';
  if (hours < 1) return `${Math.round(hours / minute)} min`;
  return hours < 48 ? `${round(hours)} h` : `${round(hours / 24)} d`;
};

/** Formats the time within which a share of versions was decided, which is an estimate: `about 3.1 d`. Null without decisions. */
export const formatPercentile = ({ waits }: Span, share: number): string | null => {
  const hours = findPercentile(waits, share);
  if (hours === null) return null;
  if (hours <= waitLimits.shortest) return `under ${formatHours(waitLimits.shortest)}`;
  if (hours >= waitLimits.longest) return `over ${formatHours(waitLimits.longest)}`;
  return `about ${formatHours(hours)}`;
};
