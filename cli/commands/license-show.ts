import { defineCommand } from '../framework/define-command.ts';

export const licenseShow = defineCommand('showLicense', {
  name: 'license show',
  examples: ['license show Apache-2.0', 'license show "MIT OR GPL-3.0-only"'],
  arguments: { name: 'the license, such as MIT, or an SPDX expression' },
});
