import { defineCommand } from '../framework/define-command.ts';
import { presentPackageCell } from '../many/package-text.ts';

export const versions = defineCommand('listVersions', {
  name: 'versions',
  examples: ['versions lodash', 'versions lodash --status approved'],
  view: { presentRow: presentPackageCell },
});
