import { RequestError } from '../../shared/api/client/client.ts';
import type { ItemResult } from '../../shared/api/schemas/many.ts';
import { groupBy } from '../../shared/util/group-by.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { JudgedError } from '../failure/judged-error.ts';
import { findAdvice } from '../failure/request-failure.ts';
import { writeResult, writeRows } from '../output/result.ts';
import { formatCount } from '../output/text.ts';
import type { Session } from '../session/session.ts';

/** One item, and what became of it. */
export interface Outcome {
  readonly item: JsonObject;
  readonly result: ItemResult;
  /** Now; before, to the same command; or before, and asked anew it is still so. */
  readonly answered: 'now' | 'before' | 'before and still so';
}

/** Whether the registry failed at it. */
export const isFault = ({ result }: Outcome): boolean => result.status >= 500;
const listRefusalCodes = (outcomes: readonly Outcome[]): readonly string[] =>
  outcomes.flatMap(({ result }) =>
    'problem' in result && result.status < 500 ? [result.problem.code] : [],
  );

/** An outcome as programs read it. */
export const toRow = ({ item, result }: Outcome): JsonObject => {
  const { ecosystem, type, name, version } = item;
  return { ecosystem: ecosystem ?? type, name, version, ...result };
};

const columns = ['outcome', 'ecosystem', 'name', 'version', 'why'];

const describeForPeople = (outcome: Outcome): JsonObject => {
  const { ecosystem, name, version } = toRow(outcome);
  const { result } = outcome;
  const become =
    'package' in result
      ? { outcome: result.package.status, why: null }
      : { outcome: isFault(outcome) ? 'failed' : 'refused', why: result.problem.detail };
  return { ...become, ecosystem, name, version };
};

const summarize = (outcomes: readonly Outcome[]): string => {
  const kinds = groupBy(outcomes, (outcome) => describeForPeople(outcome)['outcome']);
  return [...kinds].map(([kind, some]) => `${formatCount(some.length)} ${kind}`).join(', ');
};

/**
 * Writes what became of all. In lines of JSON it has been written as it came.
 * @param untouched how many others nothing was sent for, by what they are called: `already rejected`
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
  const kinds = [
    ...(outcomes.length > 0 ? [summarize(outcomes)] : []),
    ...others.flatMap(([kind, count]) => (count > 0 ? [`${formatCount(count)} ${kind}`] : [])),
  ];
  if (kinds.length > 0) terminal.err.write(`${kinds.join(', ')}.\n`);
};

/** Says of how many the answer is an earlier one, and how to get another where nobody asked anew. */
export const tellFromBefore = (
  outcomes: readonly Outcome[],
  { terminal }: Session,
  advice: string,
): void => {
  const tell = (kind: Outcome['answered'], text: string): void => {
    const count = outcomes.filter(({ answered }) => answered === kind).length;
    if (count === 0) return;
    terminal.warn(`${formatCount(count)} of ${formatCount(outcomes.length)} ${text}.`);
  };
  tell('before', `are answers from before${advice}`);
  tell('before and still so', 'were decided so before, and are so still');
};

/** @throws {RequestError} of the first fault of the registry, if there is one */
export const throwFault = (outcomes: readonly Outcome[]): void => {
  for (const { result } of outcomes.filter(isFault)) {
    if (!('problem' in result)) continue;
    const { problem } = result;
    const { code, detail, status } = problem;
    throw new RequestError({ code, detail, status, problem });
  }
};

/**
 * Ends the command with what went wrong, if anything did.
 * @throws {RequestError} of the first fault of the registry
 * @throws {JudgedError} if something was refused
 */
export const judgeOutcomes = (outcomes: readonly Outcome[], { settings }: Session): void => {
  throwFault(outcomes);
  const codes = listRefusalCodes(outcomes);
  if (codes.length === 0) return;
  const advice = [...new Set(codes)].flatMap((code) => findAdvice(code, settings) ?? []);
  throw new JudgedError(
    `${formatCount(codes.length)} of ${formatCount(outcomes.length)} were refused.`,
    advice,
  );
};
