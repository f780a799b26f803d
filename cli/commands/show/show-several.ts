import { RequestError } from '../../../shared/api/client/client.ts';
import type { Problem } from '../../../shared/api/schemas/problem.ts';
import {
  formatPackage,
  type ShownPackage,
} from '../../../shared/domain/packages/format-package.ts';
import type { JsonObject } from '../../../shared/util/json.ts';
import { exitCodes, toExitCode } from '../../failure/exit-code.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import { reportFailure } from '../../failure/report-failure.ts';
import { buildInput } from '../../framework/build-input.ts';
import type { Invocation } from '../../framework/command.ts';
import { takeOne } from '../../framework/many-packages.ts';
import { readEcosystemFlag, readNamedPackage } from '../../framework/named-package.ts';
import type { Call, RouteDescription } from '../../framework/route-description.ts';
import { UsageError } from '../../input/usage-error.ts';
import { readPackagesFile } from '../../many/read-packages.ts';
import { isByRow, writeResult, writeRows } from '../../output/result.ts';
import { formatRefused } from '../../output/tally.ts';

/** Sends the request for one package. */
type ReadOne = (input: ReturnType<typeof buildInput>) => Promise<object>;

/** The answer about one package, or its refusal. */
type Result = { readonly answer: object } | { readonly refusal: RequestError };

/** Returns whether the arguments name more than one package; `-` stands for the lines of standard input. */
export const areSeveral = (given: readonly string[]): boolean =>
  given.length > 1 || given[0] === '-';

/** @throws {UsageError} for a version that was typed as an argument of its own, as in `show lodash 4.17.21` */
const refuseLoneVersion = (text: string, before: string | undefined): void => {
  if (before === undefined || !/^v?\d+(?:\.\d+)+/.test(text)) return;
  throw new UsageError(
    `${text} is not a package name. Write the version after the name: ${before}@${text}.`,
  );
};

const listRequested = async (
  described: RouteDescription,
  { arguments: given, flags }: Invocation,
): Promise<Invocation[]> => {
  if (flags['version'] !== undefined) {
    throw new UsageError(
      '--version is for one package. With several, put the version after each name.',
    );
  }
  const requested = await Promise.all(
    given.map(async (text, at) => {
      refuseLoneVersion(text, given[at - 1]);
      if (text !== '-') return [readNamedPackage(described, { arguments: [text], flags })];
      const entries = await readPackagesFile('-', readEcosystemFlag(flags));
      const invocation = { arguments: [], flags };
      return entries.map(
        (entry) => takeOne(described, { ignoredFields: [] }, invocation, entry).invocation,
      );
    }),
  );
  return requested.flat();
};

/** @throws {RequestError} if the registry failed or could not be reached, which would also stop the next request */
const readOne = async (read: ReadOne, input: Parameters<ReadOne>[0]): Promise<Result> => {
  try {
    return { answer: await read(input) };
  } catch (error) {
    const isRefusal = error instanceof RequestError && toExitCode(error) === exitCodes.refused;
    if (isRefusal) return { refusal: error };
    throw error;
  }
};

/** Returns the row that programs read, in the same form as the results of many submissions or decisions. */
const toRow = (
  { arguments: [name], flags: { ecosystem, version } }: Invocation,
  result: Result,
  answerKey: string,
): JsonObject => {
  const which = { ecosystem, name, version };
  if ('answer' in result) return { ...which, status: 200, [answerKey]: result.answer };
  const { status, code, detail, problem } = result.refusal;
  const refusal: Partial<Problem> = problem ?? { code, detail };
  return { ...which, status, problem: refusal };
};

const nameRequested = ({ arguments: [name], flags }: Invocation): string =>
  formatPackage({ ...(flags as ShownPackage), name });

/**
 * Shows several packages, one after the other. A refused package does not stop the others.
 * @throws {UsageError} for an argument that names no package; nothing is sent then
 * @throws {RequestError} if the registry failed, or could not be reached
 * @throws {NegativeResultError} if the registry refused a package
 */
export const showSeveral = async (call: Call, answerKey: 'package' | 'evidence'): Promise<void> => {
  const { described, session } = call;
  const { client, terminal, format, settings } = session;
  const read = client[described.routeName] as ReadOne;
  const requested = await listRequested(described, call);
  const rows: JsonObject[] = [];
  let refused = 0;
  const show = (one: Invocation, result: Result): void => {
    if ('answer' in result) {
      if (rows.length > refused) terminal.out.write('\n');
      writeResult(result.answer, terminal, { ...described.view, format: 'people' });
      return;
    }
    const about = nameRequested(one);
    const context = { terminal, json: false, settings, command: 'registry show', about };
    reportFailure(result.refusal, context);
  };
  try {
    for (const one of requested) {
      const result = await readOne(read, buildInput(described, one, undefined));
      const row = toRow(one, result, answerKey);
      if ('refusal' in result) refused += 1;
      if (isByRow(format)) writeRows([row], terminal.out, { format });
      if (format === 'people') show(one, result);
      rows.push(row);
    }
  } finally {
    if (format === 'json') writeResult({ results: rows }, terminal, { format });
  }
  if (refused === 0) return;
  throw new NegativeResultError(formatRefused(refused, requested.length));
};
