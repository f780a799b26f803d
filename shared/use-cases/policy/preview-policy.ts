import type { PolicyPreview, PolicyPreviewResult } from '../../api/schemas/policy.ts';
import type { PolicyPreviewQuery } from '../../api/schemas/policy-preview-query.ts';
import {
  type EvaluatedVersion,
  type EvaluationContext,
  evaluatePending,
  listPending,
} from './evaluate-pending.ts';

const toResult = ({ version, waits, verdict }: EvaluatedVersion): PolicyPreviewResult => ({
  ecosystem: version.ecosystem,
  name: version.name,
  version: version.version,
  decision: verdict?.action ?? null,
  rule: verdict?.rule?.name ?? null,
  waits_for: verdict?.again ? ['age'] : [...waits],
});

/** Returns the policy's decision for each pending version on a page, in the order of submission. Writes nothing. */
export const previewPolicy = async (
  { after, limit }: PolicyPreviewQuery,
  context: EvaluationContext,
): Promise<PolicyPreview> => {
  const pending = await listPending(after, limit);
  const results = (await evaluatePending(pending, context)).map(toResult);
  const last = pending.length < limit ? undefined : pending.at(-1);
  return { results, next: last ? String(last.sequence) : null };
};
