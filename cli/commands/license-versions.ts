import { defineCommand } from '../framework/define-command.ts';

export const licenseVersions = defineCommand('listLicenseVersions', {
  name: 'license versions',
  examples: ['license versions GPL-3.0-only', 'license versions MIT --status pending --all'],
  arguments: { name: 'the license, such as MIT, or a license of your own' },
});
