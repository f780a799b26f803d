import { Option } from 'commander';
import type { CliCommand } from '../../framework/command.ts';
import { packageArgument } from '../../framework/positionals.ts';
import { listRouteOptions } from '../../framework/route-description.ts';

export const exportEvidence: CliCommand = {
  name: 'export evidence',
  summary: 'Export the evidence of a version as one HTML file, for auditors',
  examples: [
    'export evidence left-pad@1.3.0 --file left-pad.html',
    'export evidence pkg:npm/left-pad@1.3.0 > left-pad.html',
    'export evidence left-pad@1.3.0 --json > left-pad.json',
  ],
  arguments: [packageArgument('<package>')],
  options: [
    new Option('--file <file>', 'the file to write; standard output unless given'),
    ...listRouteOptions('showEvidence', ['ecosystem', 'version']),
  ],
  run: async (invocation, { openSession }) => {
    // The token is for the projects that use the version.
    const { runExportEvidence } = await import('./run-export-evidence.ts');
    await runExportEvidence(invocation, openSession({ writes: true }));
  },
};
