import * as z from 'zod';
import { describeIssue } from '../../api/schemas/describe-issue.ts';
import { expecting, tooManyEntries } from '../../api/schemas/scan-report.ts';
import { type ErrorItem, RegistryError, refuseInvalid } from '../../domain/errors.ts';
import { cleanLine } from '../../domain/vulnerabilities/finding.ts';
import { limits } from '../../domain/vulnerabilities/scan-limits.ts';
import { isObject } from '../../util/json.ts';

/** Maximum number of reported issues. One report can have thousands, and more do not help. */
const maxIssues = 5;
const maxPathLength = 200;

/** Schema of an object with arbitrary keys and a bounded number of entries. */
export const dictionary = <S extends z.ZodType>(value: S) =>
  z
    .custom<object>((given) => isObject(given), { error: expecting('an object') })
    .refine((given) => Object.keys(given).length <= limits.findings, {
      error: tooManyEntries,
      abort: true,
    })
    .pipe(z.record(z.string(), value));

/** Returns the path of an issue for display. Names in reports are arbitrary and of any length. */
const formatPath = (...path: readonly PropertyKey[]): string =>
  cleanLine(path.join('.'), maxPathLength) || 'body';

const listItems = (issue: z.core.$ZodIssue): ErrorItem[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ path: formatPath(...issue.path, key), message: 'is unknown' }))
    : [{ path: formatPath(...issue.path), message: issue.message }];

/** Returns a 400 error about a whole report: its apparent format, and what to do. */
export const refuse = (format: string, message: string): RegistryError =>
  refuseInvalid('body', `looks like ${format}, but ${message}`);

/** Returns a 400 error for an audit without dependencies, which proves nothing. */
export const refuseEmptyAudit = (format: string): RegistryError =>
  refuse(format, 'it covers no dependencies; audit a project that contains the package');

/** Checks that an audit with a vulnerability count lists some. Omitted vulnerabilities may be severe. */
export const checkReported = (format: string, counted: number, found: readonly unknown[]): void => {
  if (found.length > 0 || counted === 0) return;
  const message = `its count of vulnerabilities is ${counted}, but it lists none; audit again without filters`;
  throw refuse(format, message);
};

/** Checks the total number of findings before they are converted. Nested lists can exceed it. */
export const checkBounds = <T>(format: string, found: readonly T[]): readonly T[] => {
  if (found.length <= limits.findings) return found;
  throw refuse(format, `it must hold at most ${limits.findings} findings`);
};

/**
 * Parses a report with the schema of a format.
 * @throws {RegistryError} 400 with the apparent format and the issues
 */
export const parseReport = <S extends z.ZodType>(
  format: string,
  schema: S,
  body: unknown,
): z.output<S> => {
  const result = schema.safeParse(body, { error: describeIssue });
  if (result.success) return result.data;
  const items = result.error.issues.slice(0, maxIssues).flatMap(listItems).slice(0, maxIssues);
  const faults = items.map(({ path, message }) => `${path} ${message}`).join('; ');
  throw new RegistryError('validation_failed', `The body looks like ${format}, but ${faults}.`, {
    errors: items,
  });
};

/** Returns the tools in lower case that a report of a shared format names. Formats spell the same tool differently. */
export const listTools = (format: string, names: readonly string[]): string[] => {
  const tools = new Set(
    names.map((name) => cleanLine(name, limits.toolLength).toLowerCase()).filter(Boolean),
  );
  if (tools.size > limits.tools) throw refuse(format, `it must name at most ${limits.tools} tools`);
  return [...tools];
};
