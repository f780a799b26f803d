import { defineCommand } from '../framework/define-command.ts';

export const batches = defineCommand('listBatches', {
  name: 'batches',
  examples: ['batches', 'batches --all --json'],
  flags: {
    before: { description: 'only batches of earlier days: a day, or `next` of the page before' },
  },
});
