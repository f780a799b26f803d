import { defineCommand } from '../framework/define-command.ts';
import { writeResult } from '../output/result.ts';
import { describeSource } from '../session/settings.ts';

export const whoami = defineCommand('showCaller', {
  name: 'whoami',
  examples: ['whoami', 'whoami --json'],
  run: async ({ session }) => {
    const { client, settings, terminal, format } = session;
    const { url, token } = settings;
    const caller = await client.showCaller();
    const sources = {
      url: url.value,
      url_from: describeSource(url),
      ...caller,
      // Without tokens, everybody may do everything.
      ...(!token && caller.label === null && { authentication: 'disabled' }),
      token_from: token ? describeSource(token) : null,
    };
    writeResult(sources, terminal, { format });
  },
});
