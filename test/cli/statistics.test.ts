import { describe, expect, it } from 'vitest';
import { presentStatistics } from '../../cli/commands/statistics.ts';

const quiet = { submitted: 0, approved: 0, rejected: 0, expired: 0, by_rule: 0 };
const waiting = (bucket: number, count: number): number[] =>
  Array.from({ length: 12 }, (_, at) => (at === bucket ? count : 0));
const unknown = { decided: 0, mean_hours_to_decision: null, waits: waiting(0, 0) };

describe('statistics for people', () => {
  it('are sums, and the days on which something happened', () => {
    const days = [
      { date: '2026-01-29', ...quiet, submitted: 5, ...unknown },
      { date: '2026-01-30', ...quiet, ...unknown },
      {
        date: '2026-01-31',
        ...quiet,
        approved: 3,
        decided: 3,
        mean_hours_to_decision: 2.04,
        waits: waiting(2, 3),
      },
      {
        date: '2026-02-01',
        ...quiet,
        rejected: 1,
        decided: 1,
        mean_hours_to_decision: 10,
        waits: waiting(3, 1),
      },
    ];

    expect(presentStatistics({ days })).toEqual({
      ...{ from: '2026-01-29', to: '2026-02-01' },
      ...{ submitted: 5, approved: 3, rejected: 1, expired: 0, by_rule: 0 },
      ...{ mean_hours_to_decision: 4, median_hours_to_decision: 3, p90_hours_to_decision: 8.8 },
      days: [
        { date: '2026-01-29', ...quiet, submitted: 5, mean_hours_to_decision: null },
        { date: '2026-01-31', ...quiet, approved: 3, mean_hours_to_decision: 2 },
        { date: '2026-02-01', ...quiet, rejected: 1, mean_hours_to_decision: 10 },
      ],
    });
  });

  it('say that decisions took longer than the counts tell apart', () => {
    const slow = { ...quiet, decided: 4, mean_hours_to_decision: 800 };
    const waits = waiting(10, 2).map((count, at) => (at === 11 ? 2 : count));
    const presented = presentStatistics({ days: [{ date: '2026-01-30', ...slow, waits }] });

    expect(presented).toMatchObject({
      ...{ median_hours_to_decision: 720, p90_hours_to_decision: 'more than 720' },
    });
  });

  it('know no average where nothing was decided', () => {
    const presented = presentStatistics({ days: [{ date: '2026-01-30', ...quiet, ...unknown }] });

    expect(presented).toMatchObject({
      ...{ mean_hours_to_decision: null, median_hours_to_decision: null },
      days: [],
    });
  });
});
