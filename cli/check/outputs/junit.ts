import { XMLBuilder } from 'fast-xml-parser';
import {
  counts,
  explainFinding,
  type Finding,
  toTitle,
} from '../../../shared/checking/findings.ts';
import { toOneLine } from '../../output/text.ts';
import type { CheckReport } from '../report.ts';
import { describePlaces } from './places.ts';

const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  format: true,
  suppressEmptyNode: true,
  // Else an attribute whose text is `true` loses its value.
  suppressBooleanAttributes: false,
});

/** What XML 1.0 has no way to write. */
const unwritable = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** On one line: a line of its own could be a command to what runs a job. */
const toText = (text: string): string =>
  toOneLine(text).toWellFormed().replace(unwritable, '\u{fffd}');

/** A file that cannot be read was not checked, which is an error of the run and no verdict. */
const isError = ({ status }: Finding): boolean => status === 'unreadable';

const toCase = (finding: Finding, file: string) => {
  const message = toText(`${explainFinding(finding)} Where: ${describePlaces(finding)}.`);
  const fault = { '@type': finding.status, '@message': message, '#text': message };
  return {
    '@classname': toText(file),
    '@name': toText(toTitle(finding)),
    '@time': '0',
    ...(counts(finding) && { [isError(finding) ? 'error' : 'failure']: fault }),
  };
};

/** Returns the attributes that CI systems add up; those that nothing sets are 0, as some refuse a report without them. */
const count = (findings: readonly Finding[]) => {
  const failing = findings.filter(counts);
  const errors = failing.filter(isError).length;
  return {
    '@tests': findings.length,
    '@failures': failing.length - errors,
    '@errors': errors,
    '@skipped': 0,
    '@time': '0',
  };
};

const selectUsed = (findings: readonly Finding[], file: string): readonly Finding[] =>
  findings.filter(({ found_in }) => found_in.some((place) => place.file === file));

const toSuite = (findings: readonly Finding[], file: string) => {
  const used = selectUsed(findings, file);
  return {
    '@name': toText(file),
    ...count(used),
    testcase: used.map((finding) => toCase(finding, file)),
  };
};

/** The report as JUnit writes one: a suite for each file, a test for each package. */
export const formatJunit = ({ files, packages }: CheckReport): string => {
  const suites = files.map(({ file }) => toSuite(packages, file));
  const listed = files.flatMap(({ file }) => selectUsed(packages, file));
  const document = {
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    testsuites: { '@name': 'registry check', ...count(listed), testsuite: suites },
  };
  return builder.build(document);
};
