import { defineCommand } from '../framework/define-command.ts';

export const versions = defineCommand('listVersions', {
  name: 'versions',
  examples: ['versions lodash', 'versions lodash --status approved'],
});
