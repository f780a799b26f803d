import type { PolicyPreview, PolicyPreviewResult } from '../../api/schemas/policy.ts';
import type { PolicyPreviewQuery } from '../../api/schemas/policy-preview-query.ts';
import { readFreeze } from '../../storage/reviews/freeze.ts';
import {
  type EvaluatedVersion,
  type EvaluationContext,
  evaluateVersions,
  listVersions,
} from './evaluate-versions.ts';

const toResult = ({ version, waits, verdict }: EvaluatedVersion): PolicyPreviewResult => ({
  ecosystem: version.ecosystem,
  name: version.name,
  version: version.version,
  status: version.status,
  decision: verdict?.action ?? null,
  rule: verdict?.rule?.name ?? null,
  waits_for: verdict?.again ? ['age'] : [...waits],
});

/** Counts the versions by the first unmet condition of each rule, in the order of the rules. */
const countUnmet = (
  evaluated: readonly EvaluatedVersion[],
  { policy: { rules } }: EvaluationContext,
): PolicyPreview['unmet'] => {
  const all = evaluated.flatMap(({ verdict }) => verdict?.unmet ?? []);
  return rules.flatMap(({ name: rule }) => {
    const conditions = all.filter((one) => one.rule === rule).map(({ condition }) => condition);
    return [...new Set(conditions)].map((condition) => ({
      rule,
      condition,
      versions: conditions.filter((one) => one === condition).length,
    }));
  });
};

/** True if a person decided, or nobody did. Rules that agree with themselves would say nothing. */
const isNotByRule = ({ head }: EvaluatedVersion): boolean => !head?.rule;

/**
 * Returns the policy's decision for each version on a page, in the order of submission, and the freeze in force. Writes
 * nothing.
 */
export const previewPolicy = async (
  { status, after, limit }: PolicyPreviewQuery,
  context: EvaluationContext,
): Promise<PolicyPreview> => {
  const [versions, freeze] = await Promise.all([listVersions(status, after, limit), readFreeze()]);
  const evaluated = (await evaluateVersions(versions, context)).filter(isNotByRule);
  const last = versions.length < limit ? undefined : versions.at(-1);
  return {
    unmet: countUnmet(evaluated, context),
    results: evaluated.map(toResult),
    freeze: freeze ?? null,
    next: last ? String(last.sequence) : null,
  };
};
