import type { CliCommand } from '../../framework/command.ts';
import { packageArgument } from '../../framework/positionals.ts';
import { listRouteOptions } from '../../framework/route-description.ts';

export const approved: CliCommand = {
  name: 'approved',
  summary: 'Show which versions of a package are approved: the newest of each major version',
  examples: ['approved npm:express', 'approved pkg:pypi/attrs', 'approved npm:express --json'],
  arguments: [
    packageArgument('<package>', 'npm:express, or a package URL such as pkg:npm/express'),
  ],
  options: listRouteOptions('listVersions', ['ecosystem']),
  run: async ({ arguments: [text = ''], flags }, { openSession }) => {
    const { showApproved } = await import('./show-approved.ts');
    await showApproved(text, flags, openSession({ writes: false }));
  },
};
