import type { PolicyStatus } from '../../shared/api/schemas/policy.ts';
import { defineCommand } from '../framework/define-command.ts';
import { formatDetails } from '../output/details.ts';
import { formatTable } from '../output/table.ts';
import type { Output } from '../output/terminal.ts';

/** Formats a condition, such as `license: approved, conditional`. */
const formatCondition = ([name, value]: [string, unknown]): string =>
  `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`;

const formatPolicy = ({ rules, run }: PolicyStatus, output: Output): readonly string[] => {
  if (rules.length === 0) return ['The registry has no rules: people decide on all versions.'];
  const rows = rules.map(({ name, then, when, reason }) => ({
    rule: name,
    then,
    when: Object.entries(when).map(formatCondition).join('; ') || 'always',
    reason: reason ?? '',
  }));
  return [
    ...formatTable(rows, output),
    ...(run ? ['', output.style('bold', 'Last run'), ...formatDetails(run, output)] : []),
  ];
};

export const policyShow = defineCommand('showPolicy', {
  name: 'policy show',
  examples: ['policy show', 'policy show --json'],
  view: { formatAnswer: formatPolicy },
});
