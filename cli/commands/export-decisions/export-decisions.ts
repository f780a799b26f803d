import { Option } from 'commander';
import type { CliCommand } from '../../framework/command.ts';
import { readPastMoment } from '../../input/moments.ts';

export const exportDecisions: CliCommand = {
  name: 'export decisions',
  summary: 'Export all decisions since a time, as JSON lines or CSV',
  examples: [
    'export decisions --since 2026-01-01 --until 2027-01-01 --format csv --file decisions-2026.csv',
    'export decisions --since 90d > decisions.jsonl',
  ],
  arguments: [],
  options: [
    new Option(
      '--since <time>',
      'the first decision: a day such as 2026-01-31, a time in UTC, or 90d for the last 90 days',
    )
      .argParser(readPastMoment)
      .makeOptionMandatory(),
    new Option('--until <time>', 'only decisions before this day or time').argParser(
      readPastMoment,
    ),
    new Option('--format <format>', 'jsonl unless given').choices(['jsonl', 'csv']),
    new Option('--file <file>', 'the file to write; standard output unless given'),
  ],
  run: async ({ flags }, { openSession }) => {
    const { runExportDecisions } = await import('./run-export-decisions.ts');
    await runExportDecisions(flags, openSession({ writes: false }));
  },
};
