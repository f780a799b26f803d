import {
  counts,
  explainFinding,
  type Finding,
} from '../../../../shared/use-cases/dependency-check/findings.ts';
import { formatCount, toOneLine } from '../../../output/text.ts';
import type { CheckReport } from '../report.ts';
import {
  adviseToSubmit,
  describeVerdict,
  listAllowedSources,
  listFileNotes,
  listRemarks,
  summarize,
} from '../summary.ts';
import { listFixes, listTagWarnings } from '../tag-warnings.ts';
import { describePlaces, formatVersion } from './places.ts';

/** The rows of a comment. */
const shownRows = 100;
const shownNotChecked = 20;
const maxCell = 300;
/** Long enough for the next step at the end of a message. */
const maxLine = 1000;
/** A comment holds 65,536 characters; the rest is for the text around the rows. */
const maxRowCharacters = 50_000;

const punctuation = /[!-/:-@[-`{-~]/g;

/** A zero-width space keeps `@name` and `#1` from notifying people and linking to issues. */
const zeroWidth = '\u{200b}';

/** Escapes markup and mentions in text of strangers. */
const escapeText = (text: string, most = maxCell): string =>
  toOneLine(text)
    .slice(0, most)
    .toWellFormed()
    .replace(/([@#])(?=[\w-])/g, `$1${zeroWidth}`)
    .replace(punctuation, (mark) => (mark === '<' ? '&lt;' : `\\${mark}`));

const toRow = (finding: Finding): string => {
  const { status, name } = finding;
  const version = formatVersion(finding);
  const cells = [status, name, version, explainFinding(finding), describePlaces(finding)];
  return `| ${cells.map((cell) => escapeText(cell)).join(' | ')} |`;
};

/** Returns as many rows as fit into a comment. */
const fitRows = (findings: readonly Finding[]): readonly string[] => {
  const rows: string[] = [];
  let room = maxRowCharacters;
  for (const finding of findings.slice(0, shownRows)) {
    const row = toRow(finding);
    room -= row.length + 1;
    if (room < 0) break;
    rows.push(row);
  }
  return rows;
};

const formatTable = (failing: readonly Finding[]): string[] => {
  if (failing.length === 0) return [];
  const rows = fitRows(failing);
  const more = failing.length - rows.length;
  return [
    ...['', '| Status | Package | Version | Why | Where |', '| --- | --- | --- | --- | --- |'],
    ...rows,
    ...(more > 0 ? ['', `And ${formatCount(more)} more.`] : []),
  ];
};

const formatNotChecked = ({ not_checked }: CheckReport): string[] => {
  if (not_checked.length === 0) return [];
  const more = not_checked.length - shownNotChecked;
  return [
    ...['', 'Not checked:', ''],
    ...not_checked
      .slice(0, shownNotChecked)
      .map(({ file, message }) => `- ${escapeText(`${file}: ${message}`, maxLine)}`),
    ...(more > 0 ? [`- and ${formatCount(more)} more`] : []),
  ];
};

const formatLines = (report: CheckReport): string[] => {
  const lines = [
    ...listFixes(report),
    ...listAllowedSources(report),
    ...listFileNotes(report),
    ...listTagWarnings(report),
  ].slice(0, shownNotChecked);
  return lines.length === 0 ? [] : ['', ...lines.map((line) => `- ${escapeText(line, maxLine)}`)];
};

/** Formats the report as Markdown that fits into a comment or the summary of a job. */
export const formatMarkdown = (report: CheckReport): string => {
  const advice = report.allowed ? '' : adviseToSubmit(report, 'run `registry check --submit`');
  return [
    `### Packages: ${describeVerdict(report)}`,
    '',
    [summarize(report), ...listRemarks(report)].map((one) => escapeText(one)).join(' '),
    ...formatLines(report),
    ...formatTable(report.packages.filter(counts)),
    ...(advice ? ['', advice] : []),
    ...formatNotChecked(report),
    '',
  ].join('\n');
};
