import { counts, explainFinding, type Finding } from '../findings.ts';
import type { CheckReport } from '../report.ts';
import { formatCount, judge, summarize } from '../summary.ts';

/** More than this is not read in a comment, and a comment holds no more than 65,536 characters. */
const shownRows = 100;
const maxCell = 300;

const punctuation = /[!-/:-@[-`{-~]/g;

/** A mark of no width keeps names and numbers from notifying people and linking to issues. */
const zeroWidth = '\u{200b}';

/** Text as text: no markup of whoever wrote it is one, and nobody is notified by it. */
const escapeText = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .slice(0, maxCell)
    .toWellFormed()
    .replace(/([@#])(?=[\w-])/g, `$1${zeroWidth}`)
    .replace(punctuation, (mark) => (mark === '<' ? '&lt;' : `\\${mark}`));

const toRow = (finding: Finding): string => {
  const { status, name, version, found_in } = finding;
  const files = [...new Set(found_in.map(({ file }) => file))].join(', ');
  const cells = [status, name, version ?? '', explainFinding(finding), files];
  return `| ${cells.map(escapeText).join(' | ')} |`;
};

/** The report for a comment on a change, or the summary of a job. */
export const formatMarkdown = (report: CheckReport): string => {
  const failing = report.packages.filter(counts);
  const more = failing.length - shownRows;
  const table = [
    '| Status | Package | Version | Why | Where |',
    '| --- | --- | --- | --- | --- |',
    ...failing.slice(0, shownRows).map(toRow),
  ];
  return [
    `### Packages: ${judge(report)}`,
    '',
    escapeText(summarize(report)),
    ...(failing.length > 0 ? ['', ...table] : []),
    ...(more > 0 ? ['', `And ${formatCount(more)} more.`] : []),
    '',
  ].join('\n');
};
