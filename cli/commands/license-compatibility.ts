import { defineCommand } from '../framework/define-command.ts';

export const licenseCompatibility = defineCommand('compareLicenses', {
  name: 'license compatibility',
  examples: ['license compatibility Apache-2.0 GPL-2.0-only'],
  arguments: {
    name: 'the license of the code',
    other: 'the license of the work that contains the code',
  },
});
