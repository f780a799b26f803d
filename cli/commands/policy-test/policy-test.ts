import { Argument, Option } from 'commander';
import type { RouteInput } from '../../../shared/api/client/outgoing.ts';
import {
  explainPolicyFaults,
  type PolicyPreview,
  type PolicyPreviewResult,
  ReviewPolicy,
} from '../../../shared/api/schemas/policy.ts';
import { findPreset } from '../../../shared/domain/policy/presets.ts';
import { jsonFileArgument } from '../../framework/body-source.ts';
import { buildInput } from '../../framework/build-input.ts';
import { defineCommand } from '../../framework/define-command.ts';
import { UsageError } from '../../input/usage-error.ts';
import { readPages } from '../../many/paging.ts';
import { isByRow, writeResult, writeRows } from '../../output/result.ts';
import { toPreview, writePreview } from './preview-report.ts';

const policyArgument = new Argument(
  '<policy>',
  'a preset such as balanced@2, or a JSON file with rules; - for standard input',
);

/**
 * Parses a policy.
 * @throws {UsageError} with every fault, if it is no policy
 */
const parsePolicy = (input: unknown): ReviewPolicy => {
  const { data, error } = ReviewPolicy.safeParse(input);
  if (data) return data;
  const faults = explainPolicyFaults(input, error).join('; ');
  throw new UsageError(`The policy is not valid: ${faults}. /docs of the registry has the fields.`);
};

export const policyTest = defineCommand('previewPolicy', {
  name: 'policy test',
  examples: [
    'policy test balanced@2',
    'policy test infra/review-policy.json --why',
    'policy test policy.json --decided',
    'policy test policy.json --jsonl',
  ],
  flags: { after: { hidden: true }, limit: { hidden: true }, status: { hidden: true } },
  options: [
    new Option('--why', 'count for each rule the first condition that does not hold'),
    new Option('--decided', 'compare the rules with the decisions of people'),
  ],
  body: { ...jsonFileArgument, arguments: [policyArgument] },
  run: async (call) => {
    const { client, terminal, format } = call.session;
    const [file = ''] = call.arguments;
    const policy = parsePolicy(findPreset(file) ?? (await jsonFileArgument.read(call)));
    const input = buildInput(call.described, call, policy);
    const results: PolicyPreviewResult[] = [];
    const unmet: PolicyPreview['unmet'] = [];
    let freeze: PolicyPreview['freeze'] = null;
    const readPage = async ({ query }: RouteInput) => {
      const page = await client.previewPolicy({ query: { ...query }, body: policy });
      results.push(...page.results);
      unmet.push(...page.unmet);
      ({ freeze } = page);
      return page;
    };
    const statuses = call.flags['decided'] ? ['rejected', 'approved'] : ['pending'];
    for (const status of statuses) {
      const ofStatus = { ...input, query: { ...input.query, status } };
      for await (const { rows } of readPages({ readPage }, ofStatus, terminal)) {
        if (isByRow(format)) writeRows(rows, terminal.out, { format });
      }
    }
    if (isByRow(format)) return;
    const preview = toPreview(policy, { results, unmet, freeze });
    if (format === 'json') writeResult(preview, terminal, { format });
    else writePreview(preview, terminal, call.flags);
  },
});
