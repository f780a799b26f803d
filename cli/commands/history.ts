import { defineCommand } from '../framework/define-command.ts';
import { readMoment } from '../input/moments.ts';
import { formatHistoryEntry } from '../presentation/activity.ts';

export const history = defineCommand('listHistory', {
  name: 'history',
  examples: ['history lodash', 'history lodash@4.17.21', 'history lodash --all --jsonl'],
  flags: {
    before: {
      description: 'only entries before a day or time, such as 2026-01-31',
      parse: (text) => ({ before: readMoment(text) }),
    },
  },
  view: { formatRow: formatHistoryEntry },
});
