import { readMoment, readMomentAhead } from '../input/moments.ts';
import { followEvents, lastShown } from './follow-events.ts';
import { formatEvent, formatHistoryEntry } from './happenings.ts';
import { presentStatistics } from './presented-statistics.ts';
import type { Words } from './route-words.ts';

/** The words of routes: what happened, and what will. */
export const happeningWords = {
  listHistory: {
    command: 'history',
    examples: ['history lodash', 'history lodash@4.17.21', 'history lodash --all --jsonl'],
    flags: { before: 'only what happened before a day or time, such as 2026-01-31' },
    read: { before: (text) => ({ before: readMoment(text) }) },
    nextParameter: 'before',
    toLines: formatHistoryEntry,
  },
  listExpirations: {
    command: 'expirations',
    examples: ['expirations --before 30d', 'expirations --after 2027-01-01 --before 2027-04-01'],
    flags: {
      before: 'only what runs out until then: a day or time, or 30d for the next 30 days',
      after: 'only what runs out later; now, if not given',
    },
    read: {
      before: (text) => ({ before: readMomentAhead(text) }),
      after: (text) => ({ after: readMomentAhead(text) }),
    },
    nextParameter: 'after',
    columns: ['expires_at', 'name', 'version', 'ecosystem'],
  },
  listEvents: {
    command: 'events',
    examples: ['events --last 20', 'events --follow', 'events --follow --after 1200 --jsonl'],
    flags: {
      after: 'only what has a higher sequence',
      last: `begin with this many of the last; ${lastShown} with --follow, unless --after is given`,
    },
    nextParameter: 'after',
    toLines: formatEvent,
    follow: followEvents,
  },
  showStatistics: {
    command: 'statistics',
    examples: ['statistics --days 7'],
    flags: { days: 'how many days up to today, 90 unless given' },
    forPeople: presentStatistics,
  },
} satisfies Partial<Words>;
