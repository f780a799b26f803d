import { counts, explainFinding, type Finding, toTitle } from '../findings.ts';
import type { CheckReport } from '../report.ts';
import { formatCount } from '../summary.ts';

/** GitHub shows no more errors of one step. */
const mostShown = 10;

const escapeData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const toCommand = (finding: Finding): string => {
  const { file = '', line = 1 } = finding.found_in[0] ?? {};
  const title = escapeProperty(`${toTitle(finding)} is ${finding.status}`);
  const place = `file=${escapeProperty(file)},line=${line}`;
  return `::error ${place},title=${title}::${escapeData(explainFinding(finding))}`;
};

/** The commands by which a job of GitHub Actions marks lines of files. */
export const formatAnnotations = ({ packages }: CheckReport): readonly string[] => {
  const failing = packages.filter(counts);
  if (failing.length <= mostShown) return failing.map(toCommand);
  const shown = mostShown - 1;
  const more = formatCount(failing.length - shown);
  return [
    ...failing.slice(0, shown).map(toCommand),
    `::error title=registry check::${more} more are not allowed; the log has all.`,
  ];
};
