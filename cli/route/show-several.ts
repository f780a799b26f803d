import { RequestError } from '../../shared/api/client/client.ts';
import type { Problem } from '../../shared/api/schemas/problem.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { exitCodes, toExitCode } from '../failure/exit-code.ts';
import { JudgedError } from '../failure/judged-error.ts';
import { tellFailure } from '../failure/tell-failure.ts';
import { UsageError } from '../input/usage-error.ts';
import { readPackagesFile } from '../many/read-packages.ts';
import { writeResult, writeRows } from '../output/result.ts';
import { formatCount } from '../output/text.ts';
import type { Session } from '../session/session.ts';
import { buildInput, type Invocation } from './invocation.ts';
import { takeOne } from './many-packages.ts';
import { readEcosystemFlag, readNamedPackage } from './named-package.ts';
import type { RouteCommand } from './route-command.ts';

/** Reads one package, by what the operation is given. */
type ReadOne = (input: ReturnType<typeof buildInput>) => Promise<object>;

/** What the registry says of one package, or why it says nothing. */
type Said = { readonly answer: object } | { readonly refusal: RequestError };

/** Whether the arguments name more than one package; `-` stands for the lines of standard input. */
export const areSeveral = (given: readonly string[]): boolean =>
  given.length > 1 || given[0] === '-';

const listAsked = async (
  described: RouteCommand,
  { arguments: given, flags }: Invocation,
): Promise<Invocation[]> => {
  if (flags['version'] !== undefined) {
    throw new UsageError('--version is for one package; of several, each says its own.');
  }
  const asked = await Promise.all(
    given.map(async (text) => {
      if (text !== '-') return [readNamedPackage(described, { arguments: [text], flags })];
      const entries = await readPackagesFile('-', readEcosystemFlag(flags));
      const invocation = { arguments: [], flags };
      return entries.map(
        (entry) => takeOne(described, { drops: [] }, invocation, entry).invocation,
      );
    }),
  );
  return asked.flat();
};

/** @throws {RequestError} where the registry failed: that is no answer about this package alone */
const ask = async (read: ReadOne, input: Parameters<ReadOne>[0]): Promise<Said> => {
  try {
    return { answer: await read(input) };
  } catch (error) {
    const isRefusal = error instanceof RequestError && toExitCode(error) === exitCodes.refused;
    if (isRefusal) return { refusal: error };
    throw error;
  }
};

/** What was asked and what came of it, as programs read it: as for many submissions or decisions at once. */
const toRow = (
  { arguments: [name], flags: { ecosystem, version } }: Invocation,
  said: Said,
  called: string,
): JsonObject => {
  const which = { ecosystem, name, version };
  if ('answer' in said) return { ...which, status: 200, [called]: said.answer };
  const { status, code, detail, problem } = said.refusal;
  const told: Partial<Problem> = problem ?? { code, detail };
  return { ...which, status, problem: told };
};

const nameAsked = ({ arguments: [name = ''], flags: { version } }: Invocation): string =>
  typeof version === 'string' ? `${name}@${version}` : name;

/**
 * Shows what the registry says of several packages, one after the other; what it refuses costs only itself.
 * @throws {UsageError} for what names no package: then nothing is asked
 * @throws {RequestError} where the registry failed, or could not be reached
 * @throws {JudgedError} if it refused something
 */
export const showSeveral = async (
  described: RouteCommand & { readonly called: string },
  invocation: Invocation,
  session: Session,
  read: ReadOne,
): Promise<void> => {
  const { terminal, format, settings } = session;
  const { words, called } = described;
  const asked = await listAsked(described, invocation);
  const rows: JsonObject[] = [];
  let refused = 0;
  const show = (one: Invocation, said: Said): void => {
    if ('answer' in said) {
      if (rows.length > refused) terminal.out.write('\n');
      writeResult(said.answer, terminal, { format: 'people', ...words });
      return;
    }
    const about = nameAsked(one);
    tellFailure(said.refusal, { terminal, json: false, settings, command: 'registry show', about });
  };
  try {
    for (const one of asked) {
      const said = await ask(read, buildInput(described, one, undefined));
      const row = toRow(one, said, called);
      if ('refusal' in said) refused += 1;
      if (format === 'jsonl') writeRows([row], terminal.out, { format });
      if (format === 'people') show(one, said);
      rows.push(row);
    }
  } finally {
    if (format === 'json') writeResult({ results: rows }, terminal, { format });
  }
  if (refused === 0) return;
  throw new JudgedError(`${formatCount(refused)} of ${formatCount(asked.length)} were refused.`);
};
