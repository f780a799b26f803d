import { defineCommand } from '../framework/define-command.ts';

export const keys = defineCommand('showKeys', {
  name: 'keys',
  examples: ['keys', 'keys --json > keys.json'],
});
