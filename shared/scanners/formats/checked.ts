import * as z from 'zod';
import { describeIssue } from '../../api/schemas/describe-issue.ts';
import { expecting, tooManyEntries } from '../../api/schemas/scan-report.ts';
import { type ErrorItem, RegistryError, refuseInvalid } from '../../domain/errors.ts';
import { cleanLine } from '../../domain/vulnerabilities/finding.ts';
import { limits } from '../../domain/vulnerabilities/scan-limits.ts';
import { isObject } from '../../util/json.ts';

/** How many faults of a report are told. More help nobody, and one report can have thousands. */
const maxIssues = 5;
const maxPathLength = 200;

/** An object of values by any names; as bounded as a list. */
export const dictionary = <S extends z.ZodType>(value: S) =>
  z
    .custom<object>((given) => isObject(given), { error: expecting('an object') })
    .refine((given) => Object.keys(given).length <= limits.findings, {
      error: tooManyEntries,
      abort: true,
    })
    .pipe(z.record(z.string(), value));

/** Where in the report. Its names are anybody's, and as long as anybody likes. */
const formatPath = (...path: readonly PropertyKey[]): string =>
  cleanLine(path.join('.'), maxPathLength) || 'body';

const listItems = (issue: z.core.$ZodIssue): ErrorItem[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({ path: formatPath(...issue.path, key), message: 'is unknown' }))
    : [{ path: formatPath(...issue.path), message: issue.message }];

/** A refusal of a report as a whole: which format it was taken for, and what to do. */
export const refuse = (format: string, message: string): RegistryError =>
  refuseInvalid('body', `looks like ${format}, but ${message}`);

/** A refusal of an audit of no dependency: that it found nothing says nothing. */
export const refuseEmptyAudit = (format: string): RegistryError =>
  refuse(format, 'it looked at no dependency; audit a project that has the package in it');

/** Refuses an audit that tells of nothing where it counts something: what it left out is not known to be harmless. */
export const checkTold = (format: string, counted: number, found: readonly unknown[]): void => {
  if (found.length > 0 || counted === 0) return;
  const message = `its count of vulnerabilities is ${counted}, and it tells of none; audit again and leave none out`;
  throw refuse(format, message);
};

/** Refuses findings that are too many in all, before anything is made of them: lists nest in lists. */
export const checkBounds = <T>(format: string, found: readonly T[]): readonly T[] => {
  if (found.length <= limits.findings) return found;
  throw refuse(format, `it must hold at most ${limits.findings} findings`);
};

/** Reads a report by a format's schema; a 400 says which format it was taken for and what is wrong with it. */
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

/**
 * The tools that a report of many tools' format names, in small letters: several formats of one tool write its name
 * differently, and it stays one tool.
 */
export const listTools = (format: string, names: readonly string[]): string[] => {
  const tools = new Set(
    names.map((name) => cleanLine(name, limits.toolLength).toLowerCase()).filter(Boolean),
  );
  if (tools.size > limits.tools) throw refuse(format, `it must name at most ${limits.tools} tools`);
  return [...tools];
};
