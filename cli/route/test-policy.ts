import type { RouteInput } from '../../shared/api/client/outgoing.ts';
import {
  explainPolicyFaults,
  type PolicyPreviewResult,
  ReviewPolicy,
} from '../../shared/api/schemas/policy.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { UsageError } from '../input/usage-error.ts';
import { readPages } from '../many/paging.ts';
import { writeResult, writeRows } from '../output/result.ts';
import type { Session } from '../session/session.ts';

/**
 * Takes a policy as it is.
 * @throws {UsageError} if it is none, with all that is wrong with it
 */
export const checkPolicy = async (input: unknown): Promise<unknown> => {
  const { error } = ReviewPolicy.safeParse(input);
  if (!error) return input;
  const faults = explainPolicyFaults(input, error).map((fault) => `  ${fault}`);
  throw new UsageError(
    ['The file is no policy; docs/policy.md says what one looks like:', ...faults].join('\n'),
  );
};

/** How many versions each rule would do what with, those that none matches with `rule` null. */
const countByRule = (
  { rules }: ReviewPolicy,
  results: readonly PolicyPreviewResult[],
): JsonObject[] =>
  [...rules.map(({ name }) => name), null].map((rule) => {
    const ofRule = results.filter((result) => result.rule === rule);
    const count = (decision: PolicyPreviewResult['decision']): number =>
      ofRule.filter((result) => result.decision === decision).length;
    return {
      rule,
      approve: count('approve'),
      reject: count('reject'),
      hold: count('hold'),
      undecided: count(null),
    };
  });

const nameNone = (row: object): object => ({
  ...row,
  ...('rule' in row && row.rule === null && { rule: '(none)' }),
});

/** Nothing is waited for of most. */
const showWaits = (row: object): object => ({
  ...row,
  waits_for: 'waits_for' in row ? String(row.waits_for) : '',
});

const columns = ['decision', 'rule', 'name', 'version', 'ecosystem', 'waits_for'];

const formatSummary = (results: readonly PolicyPreviewResult[]): string => {
  const count = (isCounted: (result: PolicyPreviewResult) => boolean): number =>
    results.filter(isCounted).length;
  const decided = ['approve', 'reject', 'hold'].map(
    (decision) => `${count((result) => result.decision === decision)} to ${decision}`,
  );
  const waiting = count(({ waits_for }) => waits_for.length > 0);
  return `${results.length} pending: ${decided.join(', ')}; ${waiting} wait for what is not known yet, or for their age.`;
};

/** Tells what a policy would decide about all that is pending: for each rule, and for each version. */
export const testPolicy = async (
  input: RouteInput,
  { client, terminal, format }: Session,
): Promise<void> => {
  const policy = ReviewPolicy.parse(input.body);
  const results: PolicyPreviewResult[] = [];
  const readPage = async ({ query }: RouteInput) => {
    const page = await client.previewPolicy({ query: { ...query }, body: policy });
    results.push(...page.results);
    return page;
  };
  for await (const { rows } of readPages({ readPage }, input, terminal)) {
    if (format === 'jsonl') writeRows(rows, terminal.out, { format });
  }
  if (format === 'jsonl') return;
  const rules = countByRule(policy, results);
  if (format === 'json') {
    writeResult({ rules, results }, terminal, { format });
    return;
  }
  writeRows(rules, terminal.out, { format, forPeople: nameNone });
  if (results.length > 0) terminal.out.write('\n');
  writeRows(
    results.map((result) => ({ ...result })),
    terminal.out,
    { format, columns, forPeople: showWaits },
  );
  terminal.err.write(`${formatSummary(results)}\n`);
};
