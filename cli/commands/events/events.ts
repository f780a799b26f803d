import { Option } from 'commander';
import { buildInput } from '../../framework/build-input.ts';
import { defineCommand } from '../../framework/define-command.ts';
import { sendRequest } from '../../framework/send-request.ts';
import { UsageError } from '../../input/usage-error.ts';
import { formatEvent } from '../../presentation/activity.ts';
import { followEvents, lastShown } from './follow-events.ts';

export const events = defineCommand('listEvents', {
  name: 'events',
  examples: ['events --last 20', 'events --follow', 'events --follow --after 1200 --jsonl'],
  flags: {
    after: { description: 'only events with a higher sequence number' },
    last: {
      description: `start with this many of the last events; ${lastShown} with --follow, unless --after is given`,
    },
  },
  options: [new Option('-f, --follow', 'wait for new events and show them, until Ctrl-C')],
  view: { formatRow: formatEvent },
  run: async (call) => {
    const { all, follow } = call.flags;
    if (follow && all) {
      throw new UsageError('Give --all or --follow: --follow --after 0 starts with the first.');
    }
    if (follow) await followEvents(buildInput(call.described, call, {}), call.session);
    else await sendRequest(call);
  },
});
