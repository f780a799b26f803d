import { RequestError } from '../../shared/api/client/client.ts';
import type { ItemResult } from '../../shared/api/schemas/many.ts';
import { formatPackage } from '../../shared/domain/packages/format-package.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { NegativeResultError } from '../failure/negative-result-error.ts';
import { findAdvice } from '../failure/request-failure.ts';
import { writeResult, writeRows } from '../output/result.ts';
import { countBy, formatTally } from '../output/tally.ts';
import { formatCount } from '../output/text.ts';
import type { Session } from '../session/session.ts';

/** An item of a batch, and the result that the registry gave for it. */
export interface Outcome {
  readonly item: JsonObject;
  readonly result: ItemResult;
  /** A replay is the answer to an earlier run of the same command; the decision may be confirmed to be in force. */
  readonly origin: 'new' | 'replayed' | 'replayed and in force';
}

/** Returns whether the registry failed, and did not refuse the item. */
export const isFault = ({ result }: Outcome): boolean => result.status >= 500;

const listRefusalCodes = (outcomes: readonly Outcome[]): readonly string[] =>
  outcomes.flatMap(({ result }) =>
    'problem' in result && result.status < 500 ? [result.problem.code] : [],
  );

/** Returns an outcome as programs read it. */
export const toRow = ({ item, result }: Outcome): JsonObject => {
  const { ecosystem, type, name, version } = item;
  return { ecosystem: ecosystem ?? type, name, version, ...result };
};

const columns = ['outcome', 'package', 'why'];

const describeForPeople = (outcome: Outcome): JsonObject => {
  const { result } = outcome;
  const state =
    'package' in result
      ? { outcome: result.package.status, why: null }
      : { outcome: isFault(outcome) ? 'failed' : 'refused', why: result.problem.detail };
  return { ...state, package: formatPackage(toRow(outcome)) };
};

/**
 * Writes the outcomes of all items. With `--jsonl`, each batch has been written already.
 * @param untouched the counts of versions that were not sent, by their label, such as `already rejected`
 */
export const writeOutcomes = (
  outcomes: readonly Outcome[],
  { terminal, format }: Session,
  untouched: Readonly<Record<string, number>> = {},
): void => {
  const others = Object.entries(untouched);
  if (format === 'json') {
    const counts = others.map(([kind, count]) => [kind.replaceAll(' ', '_'), count]);
    const results = outcomes.map(toRow);
    writeResult({ results, ...Object.fromEntries(counts) }, terminal, { format });
  }
  if (format !== 'people') return;
  writeRows(outcomes.map(describeForPeople), terminal.out, { format, columns });
  const counts = [
    ...countBy(outcomes, (outcome) => String(describeForPeople(outcome)['outcome'])),
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
 * @throws {RequestError} with the first fault of the registry
 * @throws {NegativeResultError} if the registry refused an item
 */
export const failForOutcomes = (outcomes: readonly Outcome[], { settings }: Session): void => {
  throwFault(outcomes);
  const codes = listRefusalCodes(outcomes);
  if (codes.length === 0) return;
  const advice = [...new Set(codes)].flatMap((code) => findAdvice(code, settings) ?? []);
  throw new NegativeResultError(
    `${formatCount(codes.length)} of ${formatCount(outcomes.length)} were refused.`,
    advice,
  );
};
