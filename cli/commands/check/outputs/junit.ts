import { XMLBuilder } from 'fast-xml-parser';
import { formatPackage } from '../../../../shared/domain/packages/format-package.ts';
import {
  counts,
  explainFinding,
  type Finding,
} from '../../../../shared/use-cases/dependency-check/findings.ts';
import { toOneLine } from '../../../output/text.ts';
import { type CheckReport, failsCheck } from '../report.ts';
import { describePlaces } from './places.ts';

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  suppressEmptyNode: true,
  // Else an attribute whose text is `true` loses its value.
  suppressBooleanAttributes: false,
});

/** Characters that XML 1.0 does not allow. */
const unwritable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Puts text on one line, so that none of it looks like a workflow command. */
const toText = (text: string): string =>
  toOneLine(text).toWellFormed().replace(unwritable, '\u{fffd}');

/** An unreadable file is an error of the run and no failed check. */
const isError = ({ status }: Finding): boolean => status === 'unreadable';

const toCase = (finding: Finding, file: string) => {
  const message = toText(`${explainFinding(finding)} Where: ${describePlaces(finding)}.`);
  const fault = { '@type': finding.status, '@message': message, '#text': message };
  return {
    '@classname': toText(file),
    '@name': toText(formatPackage(finding)),
    '@time': '0',
    ...(counts(finding) && { [isError(finding) ? 'error' : 'failure']: fault }),
  };
};

/** A file with packages that were not checked. */
type Gap = CheckReport['not_checked'][number];

/** Returns a skipped test for a file with unchecked packages, or a failure with `--require-closure`. */
const toGapCase = (gap: Gap, report: CheckReport) => {
  const message = toText(gap.message);
  return {
    '@classname': toText(gap.file),
    '@name': 'everything that is installed was checked',
    '@time': '0',
    ...(failsCheck(gap, report)
      ? { failure: { '@type': gap.reason, '@message': message, '#text': message } }
      : { skipped: { '@message': message } }),
  };
};

/** Returns the counters for CI systems. Unused ones are 0, since some systems refuse a report without them. */
const count = (findings: readonly Finding[], gaps: readonly Gap[], report: CheckReport) => {
  const failing = findings.filter(counts);
  const errors = failing.filter(isError).length;
  const failed = gaps.filter((gap) => failsCheck(gap, report)).length;
  return {
    '@tests': findings.length + gaps.length,
    '@failures': failing.length - errors + failed,
    '@errors': errors,
    '@skipped': gaps.length - failed,
    '@time': '0',
  };
};

const selectUsed = (findings: readonly Finding[], file: string): readonly Finding[] =>
  findings.filter(({ found_in }) => found_in.some((place) => place.file === file));

const toSuite = (report: CheckReport, file: string) => {
  const used = selectUsed(report.packages, file);
  const gaps = report.not_checked.filter((gap) => gap.file === file);
  return {
    '@name': toText(file),
    ...count(used, gaps, report),
    testcase: [
      ...used.map((finding) => toCase(finding, file)),
      ...gaps.map((gap) => toGapCase(gap, report)),
    ],
  };
};

/**
 * Formats the report as JUnit XML: a suite for each file, a test for each package, and one more for each file with packages
 * that were not checked.
 */
export const formatJunit = (report: CheckReport): string => {
  const { packages, not_checked: gaps } = report;
  const files = [...new Set([...report.files, ...gaps].map(({ file }) => file))];
  const listed = files.flatMap((file) => selectUsed(packages, file));
  const document = {
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: {
      '@name': 'registry check',
      ...count(listed, gaps, report),
      testsuite: files.map((file) => toSuite(report, file)),
    },
  };
  return builder.build(document);
};
