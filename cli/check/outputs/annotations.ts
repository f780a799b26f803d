import {
  counts,
  explainFinding,
  type Finding,
  toTitle,
} from '../../../shared/checking/findings.ts';
import { formatCount, toPrintable } from '../../output/text.ts';
import type { CheckReport } from '../report.ts';
import { describePulling, toPathFrom } from './places.ts';

/** GitHub shows no more errors, and no more warnings, of one step. */
const mostShown = 10;

const escapeData = (text: string): string =>
  toPrintable(text).replaceAll('%', '%25').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const toCommand = (finding: Finding, root: string | undefined): string => {
  const place = finding.found_in[0] ?? { file: '' };
  const title = escapeProperty(`${toTitle(finding)} is ${finding.status}`);
  const where = `file=${escapeProperty(toPathFrom(root, place.file))},line=${place.line ?? 1}`;
  const text = `${explainFinding(finding)} ${describePulling(place)}`.trim();
  return `::error ${where},title=${title}::${escapeData(text)}`;
};

const toErrors = (failing: readonly Finding[], root: string | undefined): readonly string[] => {
  if (failing.length <= mostShown) return failing.map((one) => toCommand(one, root));
  const shown = mostShown - 1;
  const more = formatCount(failing.length - shown);
  return [
    ...failing.slice(0, shown).map((one) => toCommand(one, root)),
    `::error title=registry check::${more} more are not allowed; the log has all.`,
  ];
};

const toWarnings = ({ not_checked }: CheckReport, root: string | undefined): readonly string[] =>
  not_checked.slice(0, mostShown).map(({ file, message }) => {
    const where = `file=${escapeProperty(toPathFrom(root, file))}`;
    return `::warning ${where},title=not checked::${escapeData(message)}`;
  });

/**
 * The commands by which a job of GitHub Actions marks lines of files.
 * @param root where paths begin
 */
export const formatAnnotations = (
  report: CheckReport,
  root: string | undefined,
): readonly string[] => [
  ...toErrors(report.packages.filter(counts), root),
  ...toWarnings(report, root),
];
