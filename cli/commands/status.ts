import { defineCommand } from '../framework/define-command.ts';
import { writeResult } from '../output/result.ts';
import { findCredential } from '../session/credentials.ts';

export const status = defineCommand('showService', {
  name: 'status',
  examples: ['status', 'status --json'],
  run: async ({ session }) => {
    const { client, settings, terminal, format } = session;
    const { url } = settings;
    const credential = findCredential(settings.credentials);
    const service = await client.showService();
    const tokenSource = credential ? `from ${credential.source}` : 'not set';
    const { links, freeze, ...about } = service;
    const shown = { url: url.value, ...about, token: tokenSource };
    const frozen = freeze && `since ${freeze.since}: ${freeze.reason}`;
    const sign_in = service.sign_in?.issuer ?? null;
    const answer =
      format === 'people' ? { ...shown, sign_in, frozen, ...links } : { ...shown, freeze, links };
    writeResult(answer, terminal, { format });
  },
});
