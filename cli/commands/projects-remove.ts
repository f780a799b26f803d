import { defineCommand } from '../framework/define-command.ts';
import { sendRequest } from '../framework/send-request.ts';
import { UsageError } from '../input/usage-error.ts';

export const projectsRemove = defineCommand('removeProject', {
  name: 'projects remove',
  examples: ['projects remove shop --ref feature/basket', 'projects remove acme/shop --ref main'],
  arguments: { project: 'the project, such as shop or acme/shop' },
  flags: {
    ref: { description: 'the branch or tag to remove; the project goes with its last one' },
  },
  run: async (call) => {
    if (!call.flags['ref']) {
      throw new UsageError(
        `Missing --ref: name the branch or tag, such as --ref main. registry projects show ${call.arguments[0]} lists the refs.`,
      );
    }
    await sendRequest(call);
  },
});
