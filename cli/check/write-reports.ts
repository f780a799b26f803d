import { writeFileSync } from 'node:fs';
import { UsageError } from '../input/usage-error.ts';
import { writeResult, writeRows } from '../output/result.ts';
import type { Session } from '../session/session.ts';
import type { CheckFlags } from './options.ts';
import { formatAnnotations } from './outputs/annotations.ts';
import { formatJunit } from './outputs/junit.ts';
import { formatMarkdown } from './outputs/markdown.ts';
import { writeForPeople } from './outputs/people.ts';
import { formatSarif } from './outputs/sarif.ts';
import type { CheckReport } from './report.ts';

const formatters = { sarif: formatSarif, junit: formatJunit, markdown: formatMarkdown } as const;
const fileFormats = Object.keys(formatters) as (keyof typeof formatters)[];

/** Which of the reports goes to standard output, in place of the table. */
const findPrinted = (flags: CheckFlags): string[] =>
  fileFormats.filter((format) => flags[format] === '-').map((format) => `--${format} -`);

/** @throws {UsageError} if two things are to be written to standard output */
export const checkOutputs = (flags: CheckFlags, { format }: Pick<Session, 'format'>): void => {
  const printed = [...findPrinted(flags), ...(format === 'people' ? [] : [`--${format}`])];
  if (printed.length > 1) throw new UsageError(`Give only one of ${printed.join(' and ')}.`);
};

const writeFile = (file: string, text: string): void => {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
};

/** Writes a report in every way that was asked for, and marks lines where a job of GitHub Actions asks. */
export const writeReports = (
  report: CheckReport,
  flags: CheckFlags,
  { terminal, format }: Session,
  { isGithub }: { readonly isGithub: boolean },
): void => {
  for (const name of fileFormats) {
    const file = flags[name];
    if (file === '-') terminal.out.write(formatters[name](report));
    else if (file !== undefined) writeFile(file, formatters[name](report));
  }
  if (format === 'json') writeResult(report, terminal, { format });
  if (format === 'jsonl') {
    writeRows(
      report.packages.map((finding) => ({ ...finding })),
      terminal.out,
      { format },
    );
  }
  if (format === 'people' && findPrinted(flags).length === 0) writeForPeople(report, terminal);
  // A job reads commands from both streams; this one holds nothing else that a program reads.
  if (isGithub) {
    for (const command of formatAnnotations(report)) terminal.err.write(`${command}\n`);
  }
};
