import { defineCommand } from '../framework/define-command.ts';
import { writeResult } from '../output/result.ts';
import { describeCredentials, describeSource } from '../session/settings.ts';

export const whoami = defineCommand('showCaller', {
  name: 'whoami',
  examples: ['whoami', 'whoami --json'],
  run: async ({ session }) => {
    const { client, settings, terminal, format } = session;
    const { url } = settings;
    const caller = await client.showCaller();
    // After the request: a registry may not take the ID token of a CI job.
    const tokenSource = describeCredentials(settings);
    const sources = {
      url: url.value,
      url_from: describeSource(url),
      ...caller,
      // Without tokens, everybody may do everything.
      ...(tokenSource === null && caller.label === null && { authentication: 'disabled' }),
      token_from: tokenSource,
    };
    writeResult(sources, terminal, { format });
  },
});
