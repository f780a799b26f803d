import { formatPackage } from '../../../../shared/domain/packages/format-package.ts';
import {
  counts,
  explainFinding,
  type Finding,
} from '../../../../shared/use-cases/dependency-check/findings.ts';
import {
  explainTag,
  listPinnedTags,
  type PinnedTag,
} from '../../../../shared/use-cases/dependency-check/tags.ts';
import { formatCount, toPrintable } from '../../../output/text.ts';
import { type CheckReport, failsCheck } from '../report.ts';
import { describeDependencyPath, toPathFrom } from './places.ts';

/** GitHub shows this many errors and this many warnings of a step. */
const mostShown = 10;

const escapeData = (text: string): string =>
  toPrintable(text).replaceAll('%', '%25').replaceAll('\n', '%0A');

const escapeProperty = (text: string): string =>
  escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const toCommand = (finding: Finding, root: string | undefined): string => {
  const place = finding.found_in[0] ?? { file: '' };
  const title = escapeProperty(`${formatPackage(finding)} is ${finding.status}`);
  const where = `file=${escapeProperty(toPathFrom(root, place.file))},line=${place.line ?? 1}`;
  const text = `${explainFinding(finding)} ${describeDependencyPath(place)}`.trim();
  return `::error ${where},title=${title}::${escapeData(text)}`;
};

/** Returns the workflow command for a check without a result, which annotates the job. */
export const formatFailure = (message: string): string =>
  `::error title=registry check failed::${escapeData(message)}`;

/** A file with packages that were not checked. */
const toGapCommand = (
  level: 'error' | 'warning',
  { file, message }: CheckReport['not_checked'][number],
  root: string | undefined,
): string => {
  const where = `file=${escapeProperty(toPathFrom(root, file))}`;
  return `::${level} ${where},title=not checked::${escapeData(message)}`;
};

/** An allowed image without a digest whose approval pinned one. */
const toTagCommand = (tag: PinnedTag, root: string | undefined): string => {
  const { file, line } = tag.found_in[0] ?? { file: '' };
  const where = `file=${escapeProperty(toPathFrom(root, file))},line=${line ?? 1}`;
  return `::warning ${where},title=image without a digest::${escapeData(explainTag(tag))}`;
};

const limitErrors = (errors: readonly string[]): readonly string[] => {
  if (errors.length <= mostShown) return errors;
  const shown = mostShown - 1;
  const more = formatCount(errors.length - shown);
  return [
    ...errors.slice(0, shown),
    `::error title=registry check::${more} more fail the check; the log lists all.`,
  ];
};

/**
 * Returns the workflow commands that annotate lines of files in GitHub Actions.
 * @param root the folder that paths start from
 */
export const formatAnnotations = (
  report: CheckReport,
  root: string | undefined,
): readonly string[] => {
  const { packages, not_checked: gaps } = report;
  const failing = gaps.filter((gap) => failsCheck(gap, report));
  const others = gaps.filter((gap) => !failsCheck(gap, report));
  const warnings = [
    ...others.map((gap) => toGapCommand('warning', gap, root)),
    ...listPinnedTags(packages).map((tag) => toTagCommand(tag, root)),
  ];
  return [
    ...limitErrors([
      ...packages.filter(counts).map((one) => toCommand(one, root)),
      ...failing.map((gap) => toGapCommand('error', gap, root)),
    ]),
    ...warnings.slice(0, mostShown),
  ];
};
