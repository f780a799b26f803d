import { closeSync, lstatSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { escapeWorkflowCommands } from '../../failure/escape-workflow-commands.ts';
import { UsageError } from '../../input/usage-error.ts';
import { makeFolder } from '../../output/make-folder.ts';
import { isByRow, writeResult, writeRows } from '../../output/result.ts';
import type { Output } from '../../output/terminal.ts';
import type { Session } from '../../session/session.ts';
import type { CheckFlags } from './options.ts';
import { formatAnnotations } from './outputs/annotations.ts';
import { formatJunit } from './outputs/junit.ts';
import { formatMarkdown } from './outputs/markdown.ts';
import { writeForPeople } from './outputs/people.ts';
import { formatSarif } from './outputs/sarif.ts';
import type { CheckReport } from './report.ts';

const formatters = { sarif: formatSarif, junit: formatJunit, markdown: formatMarkdown } as const;
const fileFormats = Object.keys(formatters) as (keyof typeof formatters)[];

/** Lists the reports that go to standard output in place of the table. */
const findPrinted = (flags: CheckFlags): string[] =>
  fileFormats.filter((format) => flags[format] === '-').map((format) => `--${format} -`);

/** Lists the reports that go to files. */
const listFiles = (flags: CheckFlags) =>
  fileFormats.flatMap((name) => {
    const file = flags[name];
    return file === undefined || file === '-' ? [] : [{ name, file }];
  });

/**
 * Creates the folder of a report and opens the file, so that a wrong path fails before the check. Removes the report of an
 * earlier check, which nobody may mistake for the result of this one.
 */
const openFile = (file: string): void => {
  try {
    makeFolder(dirname(file));
    closeSync(openSync(file, 'a'));
    // A link such as /dev/stdout stays.
    if (lstatSync(file).isFile()) rmSync(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
};

/** @throws {UsageError} for two reports on standard output, or a file that cannot be written */
export const openOutputs = (flags: CheckFlags, { format }: Pick<Session, 'format'>): void => {
  const printed = [
    ...findPrinted(flags),
    ...(format === 'people' ? [] : [format === 'name' ? '-o name' : `--${format}`]),
  ];
  if (printed.length > 1) throw new UsageError(`Give only one of ${printed.join(' and ')}.`);
  for (const { file } of listFiles(flags)) openFile(file);
};

/** Writes all report files, and returns the faults. */
const writeFiles = (report: CheckReport, flags: CheckFlags): string[] =>
  listFiles(flags).flatMap(({ name, file }) => {
    try {
      writeFileSync(file, formatters[name](report, flags.root));
      return [];
    } catch (error) {
      return [`${file} cannot be written: ${(error as Error).message}`];
    }
  });

/** Returns the notation of standard output. */
const findNotation = (
  flags: CheckFlags,
  format: Session['format'],
): keyof typeof escapeWorkflowCommands => {
  if (flags.junit === '-') return 'xml';
  return flags.sarif === '-' || format !== 'people' ? 'json' : 'text';
};

const filter = (output: Output, change: (text: string) => string): Output => ({
  ...output,
  write: (text) => output.write(change(text)),
});

/** Returns a session whose output has no workflow commands of GitHub Actions in text of strangers. */
export const escapeOutput = (flags: CheckFlags, session: Session): Session => {
  const { terminal, format } = session;
  const out = filter(terminal.out, escapeWorkflowCommands[findNotation(flags, format)]);
  const err = filter(terminal.err, escapeWorkflowCommands.text);
  const warn = (text: string): void => terminal.warn(escapeWorkflowCommands.text(text));
  return { ...session, terminal: { out, err, warn } };
};

/** Writes all reports that flags name, and annotations in a job of GitHub Actions. */
export const writeReports = (
  report: CheckReport,
  flags: CheckFlags,
  { terminal, format }: Session,
  { isGithub }: { readonly isGithub: boolean },
): void => {
  const faults = writeFiles(report, flags);
  for (const name of fileFormats) {
    if (flags[name] === '-') terminal.out.write(formatters[name](report, flags.root));
  }
  if (format === 'json') writeResult(report, terminal, { format });
  if (isByRow(format)) {
    writeRows(
      report.packages.map((finding) => ({ ...finding })),
      terminal.out,
      { format },
    );
  }
  if (format === 'people' && findPrinted(flags).length === 0) writeForPeople(report, terminal);
  // Annotations go to standard error; the result stays alone on standard output.
  if (isGithub && format === 'people') {
    for (const command of formatAnnotations(report, flags.root)) terminal.err.write(`${command}\n`);
  }
  if (faults.length > 0) throw new Error(faults.join(' '));
};
