import type { DayStatistics, Statistics } from '../../shared/api/schemas/statistics.ts';
import {
  findPercentile,
  isBeyondBuckets,
  sumWaits,
  waitLimits,
} from '../../shared/domain/review/waiting-time.ts';
import { defineCommand } from '../framework/define-command.ts';

type Counter = 'submitted' | 'approved' | 'rejected' | 'expired' | 'by_rule' | 'decided';

/** Rounds hours to a tenth. */
const round = (hours: number): number => Math.round(hours * 10) / 10;

const presentMean = (mean: number | null): number | null => (mean === null ? null : round(mean));

const findMean = (days: readonly DayStatistics[], decided: number): number | null => {
  if (decided === 0) return null;
  const hours = days.reduce((sum, day) => sum + day.decided * (day.mean_hours_to_decision ?? 0), 0);
  return round(hours / decided);
};

/** Returns the hours within which a share of the first decisions was made; a text above 30 days, and null without decisions. */
const findWait = (days: readonly DayStatistics[], share: number): number | string | null => {
  const waits = sumWaits(days);
  if (isBeyondBuckets(waits, share)) return `more than ${waitLimits.longest}`;
  const hours = findPercentile(waits, share);
  return hours === null ? null : round(hours);
};

const isBusy = ({ submitted, approved, rejected, expired }: DayStatistics): boolean =>
  submitted + approved + rejected + expired > 0;

/** Returns the sums of all days, and the days with activity. */
export const presentStatistics = ({ days }: Statistics): object => {
  const sum = (counter: Counter): number => days.reduce((all, day) => all + day[counter], 0);
  const decided = sum('decided');
  return {
    from: days.at(0)?.date ?? null,
    to: days.at(-1)?.date ?? null,
    submitted: sum('submitted'),
    approved: sum('approved'),
    rejected: sum('rejected'),
    expired: sum('expired'),
    by_rule: sum('by_rule'),
    mean_hours_to_decision: findMean(days, decided),
    median_hours_to_decision: findWait(days, 0.5),
    p90_hours_to_decision: findWait(days, 0.9),
    days: days.filter(isBusy).map(({ mean_hours_to_decision, decided: _, waits: __, ...day }) => ({
      ...day,
      mean_hours_to_decision: presentMean(mean_hours_to_decision),
    })),
  };
};

export const statistics = defineCommand('showStatistics', {
  name: 'statistics',
  examples: ['statistics --days 7'],
  flags: { days: { description: 'the number of days up to today, 90 unless given' } },
  view: { presentAnswer: presentStatistics },
});
