import { defineCommand } from '../framework/define-command.ts';
import { writeResult } from '../output/result.ts';

export const status = defineCommand('showService', {
  name: 'status',
  examples: ['status', 'status --json'],
  run: async ({ session }) => {
    const { client, settings, terminal, format } = session;
    const { url, token } = settings;
    const service = await client.showService();
    const tokenSource = token ? `from ${token.source}` : 'not set';
    const { links, freeze, ...about } = service;
    const shown = { url: url.value, ...about, token: tokenSource };
    const frozen = freeze && `since ${freeze.since}: ${freeze.reason}`;
    const answer =
      format === 'people' ? { ...shown, frozen, ...links } : { ...shown, freeze, links };
    writeResult(answer, terminal, { format });
  },
});
