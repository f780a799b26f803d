import { Option } from 'commander';
import { ecosystems } from '../../../shared/ecosystems/ecosystem.ts';
import type { CliCommand } from '../../framework/command.ts';

export const exportVex: CliCommand = {
  name: 'export vex',
  summary: 'Export the active risk acceptances as an OpenVEX document',
  examples: [
    'export vex --file vex.json',
    'export vex --ecosystem npm --author "Acme Inc" > vex.json',
  ],
  arguments: [],
  options: [
    new Option('--ecosystem <ecosystem>', 'only packages of this ecosystem').choices(ecosystems),
    new Option(
      '--author <name>',
      'the person or organisation that makes the statements; the URL of the registry unless given',
    ),
    new Option('--file <file>', 'the file to write; standard output unless given'),
  ],
  run: async ({ flags }, { openSession }) => {
    const { runExportVex } = await import('./run-export-vex.ts');
    await runExportVex(flags, openSession({ writes: false }));
  },
};
