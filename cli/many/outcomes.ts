import { RequestError } from '../../shared/api/client/client.ts';
import type { ItemResult } from '../../shared/api/schemas/many.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { NegativeResultError } from '../failure/negative-result-error.ts';
import { findAdvice } from '../failure/request-failure.ts';
import { type Format, writeResult, writeRows } from '../output/result.ts';
import { countBy, formatRefused, formatTally } from '../output/tally.ts';
import { formatCount } from '../output/text.ts';
import type { Session } from '../session/session.ts';

/** An item of a batch, and the result that the registry gave for it. */
export interface Outcome {
  readonly item: JsonObject;
  readonly result: ItemResult;
  /** A replay is the answer to an earlier run of the same command; the decision may be confirmed to be in force. */
  readonly origin: 'new' | 'replayed' | 'replayed and in force';
}

/** Returns the items that succeeded in this run. */
export const listDone = (outcomes: readonly Outcome[]): readonly JsonObject[] =>
  outcomes.flatMap(({ item, result, origin }) =>
    origin === 'new' && 'package' in result ? [item] : [],
  );

/** Returns whether the registry failed, and did not refuse the item. */
export const isFault = ({ result }: Outcome): boolean => result.status >= 500;

const listRefusalCodes = (
  outcomes: readonly Outcome[],
  accepted: readonly string[],
): readonly string[] =>
  outcomes
    .flatMap(({ result }) =>
      'problem' in result && result.status < 500 ? [result.problem.code] : [],
    )
    .filter((code) => !accepted.includes(code));

/** Returns an outcome as programs read it. */
export const toRow = ({ item, result }: Outcome): JsonObject => {
  const { ecosystem, type, name, version } = item;
  return { ecosystem: ecosystem ?? type, name, version, ...result };
};

/** Returns the rows of outcomes for programs. With `-o name`, refused and failed items are left out. */
export const listRows = (outcomes: readonly Outcome[], format: Format): JsonObject[] =>
  outcomes.filter(({ result }) => format !== 'name' || 'package' in result).map(toRow);

const columns = ['outcome', 'package', 'why'];

const describeState = (outcome: Outcome, accepted: readonly string[]): JsonObject => {
  const { result } = outcome;
  if ('package' in result) return { outcome: result.package.status, why: null };
  const { code, detail } = result.problem;
  if (accepted.includes(code)) return { outcome: 'unchanged', why: detail };
  return { outcome: isFault(outcome) ? 'failed' : 'refused', why: detail };
};

interface OutcomeOptions {
  /** The codes of refusals that are no failure. */
  readonly accepted?: readonly string[];
  /** The counts of versions that were not sent, by their label, such as `already rejected`. */
  readonly untouched?: Readonly<Record<string, number>>;
}

/** Writes the outcomes of all items. With `--jsonl`, each batch has been written already. */
export const writeOutcomes = (
  outcomes: readonly Outcome[],
  { terminal, format }: Session,
  { accepted = [], untouched = {} }: OutcomeOptions = {},
): void => {
  const others = Object.entries(untouched);
  if (format === 'json') {
    const counts = others.map(([kind, count]) => [kind.replaceAll(' ', '_'), count]);
    const results = outcomes.map(toRow);
    writeResult({ results, ...Object.fromEntries(counts) }, terminal, { format });
  }
  if (format !== 'people') return;
  const rows: readonly JsonObject[] = outcomes.map((outcome) => ({
    ...describeState(outcome, accepted),
    package: formatPackage(toRow(outcome)),
  }));
  writeRows(rows, terminal.out, { format, columns });
  const counts = [
    ...countBy(rows, (row) => String(row['outcome'])),
    ...others.filter(([, count]) => count > 0),
  ];
  if (counts.length > 0) terminal.err.write(`${formatTally(counts)}.\n`);
};

/** Warns of items without an answer, because the command was interrupted or the registry failed. */
export const warnOfUnsent = (count: number, { terminal }: Session): void => {
  if (count === 0) return;
  const were = count === 1 ? 'was' : 'were';
  terminal.warn(
    `${formatCount(count)} ${were} not sent, or got no answer. Run the same command again to go on with ${count === 1 ? 'it' : 'them'}.`,
  );
};

/** Warns of replayed answers, and of how to get new ones. */
export const warnOfReplays = (
  outcomes: readonly Outcome[],
  { terminal }: Session,
  advice: string,
): void => {
  const warn = (origin: Outcome['origin'], text: string): void => {
    const count = outcomes.filter((outcome) => outcome.origin === origin).length;
    if (count === 0) return;
    terminal.warn(`${formatCount(count)} of ${formatCount(outcomes.length)} ${text}.`);
  };
  warn('replayed', `are answers of an earlier run${advice}`);
  warn('replayed and in force', 'were decided by an earlier run, and are still in force');
};

/** @throws {RequestError} with the first fault of the registry, if there is one */
export const throwFault = (outcomes: readonly Outcome[]): void => {
  for (const { result } of outcomes.filter(isFault)) {
    if (!('problem' in result)) continue;
    const { problem } = result;
    const { code, detail, status } = problem;
    throw new RequestError({ code, detail, status, problem });
  }
};

/**
 * Fails the command if an item failed or was refused.
 * @param accepted the codes of refusals that are no failure
 * @throws {RequestError} with the first fault of the registry
 * @throws {NegativeResultError} if the registry refused an item
 */
export const failForOutcomes = (
  outcomes: readonly Outcome[],
  { settings }: Session,
  accepted: readonly string[] = [],
): void => {
  throwFault(outcomes);
  const codes = listRefusalCodes(outcomes, accepted);
  if (codes.length === 0) return;
  const advice = [...new Set(codes)].flatMap((code) => findAdvice(code, settings) ?? []);
  throw new NegativeResultError(formatRefused(codes.length, outcomes.length), advice);
};
