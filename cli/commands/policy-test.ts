import type { RouteInput } from '../../shared/api/client/outgoing.ts';
import {
  explainPolicyFaults,
  type PolicyPreviewResult,
  ReviewPolicy,
} from '../../shared/api/schemas/policy.ts';
import { findPreset } from '../../shared/domain/policy/presets.ts';
import type { JsonObject } from '../../shared/util/json.ts';
import { jsonFileArgument } from '../framework/body-source.ts';
import { buildInput } from '../framework/build-input.ts';
import { defineCommand } from '../framework/define-command.ts';
import { UsageError } from '../input/usage-error.ts';
import { presentPackageCell } from '../many/package-text.ts';
import { readPages } from '../many/paging.ts';
import { isByRow, writeResult, writeRows } from '../output/result.ts';
import type { Terminal } from '../output/terminal.ts';

/**
 * Parses a policy.
 * @throws {UsageError} with every fault, if it is no policy
 */
const parsePolicy = (input: unknown): ReviewPolicy => {
  const { data, error } = ReviewPolicy.safeParse(input);
  if (data) return data;
  const faults = explainPolicyFaults(input, error).map((fault) => `  ${fault}`);
  throw new UsageError(
    ['The file is no policy; docs/policy.md describes the format:', ...faults].join('\n'),
  );
};

/** Counts the decisions of each rule. Versions that no rule matches have `rule` null. */
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

/** Most versions wait for nothing: their cell is empty. */
const showWaits = (row: object): object => ({
  ...presentPackageCell(row),
  waits_for: 'waits_for' in row ? String(row.waits_for) : '',
});

const columns = ['decision', 'rule', 'package', 'waits_for'];

const formatSummary = (results: readonly PolicyPreviewResult[]): string => {
  const count = (isCounted: (result: PolicyPreviewResult) => boolean): number =>
    results.filter(isCounted).length;
  const decided = ['approve', 'reject', 'hold'].map(
    (decision) => `${count((result) => result.decision === decision)} to ${decision}`,
  );
  const waiting = count(({ waits_for }) => waits_for.length > 0);
  return `${results.length} pending: ${decided.join(', ')}; ${waiting} wait for missing facts or for their age.`;
};

const writeForPeople = (
  rules: readonly JsonObject[],
  results: readonly PolicyPreviewResult[],
  { out, err }: Terminal,
): void => {
  const format = 'people';
  writeRows(rules, out, { format, presentRow: nameNone });
  if (results.length > 0) out.write('\n');
  const rows = results.map((result) => ({ ...result }));
  writeRows(rows, out, { format, columns, presentRow: showWaits });
  err.write(`${formatSummary(results)}\n`);
};

export const policyTest = defineCommand('previewPolicy', {
  name: 'policy test',
  examples: [
    'policy test balanced@1',
    'policy test infra/review-policy.json',
    'policy test policy.json --jsonl',
  ],
  flags: { after: { hidden: true }, limit: { hidden: true } },
  body: jsonFileArgument,
  run: async (call) => {
    const { client, terminal, format } = call.session;
    const [file = ''] = call.arguments;
    const policy = parsePolicy(findPreset(file) ?? (await jsonFileArgument.read(call)));
    const input = buildInput(call.described, call, policy);
    const results: PolicyPreviewResult[] = [];
    const readPage = async ({ query }: RouteInput) => {
      const page = await client.previewPolicy({ query: { ...query }, body: policy });
      results.push(...page.results);
      return page;
    };
    for await (const { rows } of readPages({ readPage }, input, terminal)) {
      if (isByRow(format)) writeRows(rows, terminal.out, { format });
    }
    if (isByRow(format)) return;
    const rules = countByRule(policy, results);
    if (format === 'json') writeResult({ rules, results }, terminal, { format });
    else writeForPeople(rules, results, terminal);
  },
});
