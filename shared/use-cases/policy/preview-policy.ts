import type { PolicyPreview, PolicyPreviewResult } from '../../api/schemas/policy.ts';
import type { PolicyPreviewQuery } from '../../api/schemas/policy-preview-query.ts';
import { toVersionKey } from '../../domain/packages/package-id.ts';
import { listAwaited } from '../../domain/policy/readiness.ts';
import { listVersionsAfter, type NumberedVersion } from '../../storage/catalogue/versions-after.ts';
import { findReviewStates, type ReviewState } from '../../storage/reviews/review-state.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { findLicenseEvidence, type LicenseLookup } from '../licensing/find-license-evidence.ts';
import type { PolicyContext } from './apply-policy.ts';
import { judgeByPolicy } from './judge-by-policy.ts';

type PreviewContext = Pick<PolicyContext, 'policy' | 'rules' | 'inquiries' | 'now'>;

const parallelReads = 8;

/** Returns a page of pending versions after a sequence number. One storage call covers one partition only. */
const listPending = async ({ after, limit }: PolicyPreviewQuery): Promise<NumberedVersion[]> => {
  const found: NumberedVersion[] = [];
  while (found.length < limit) {
    const sequence = found.at(-1)?.sequence ?? after;
    const more = await listVersionsAfter({ status: 'pending', sequence }, limit - found.length);
    if (more.length === 0) break;
    found.push(...more);
  }
  return found;
};

const judgeOne = async (
  { ecosystem, name, version }: NumberedVersion,
  {
    head,
    licenseOf,
  }: { readonly head: ReviewState | undefined; readonly licenseOf: LicenseLookup },
  context: PreviewContext,
): Promise<PolicyPreviewResult> => {
  const id = { ecosystem, name, version };
  const undecided = { ...id, decision: null, rule: null, waits_for: [] };
  // Rules apply only to versions without an earlier decision and with a readable review state.
  if (!head || head.revision > 0) return undecided;
  const waits_for = listAwaited({ ecosystem, ...head }, context.inquiries);
  if (waits_for.length > 0) return { ...undecided, waits_for };
  const { verdict } = await judgeByPolicy({ id, head, license: licenseOf(head) }, context);
  return {
    ...id,
    decision: verdict.action,
    rule: verdict.rule?.name ?? null,
    waits_for: verdict.again === null ? [] : ['age'],
  };
};

/** Returns the policy's decision for each pending version on a page, in the order of submission. Writes nothing. */
export const previewPolicy = async (
  query: PolicyPreviewQuery,
  context: PreviewContext,
): Promise<PolicyPreview> => {
  const pending = await listPending(query);
  const heads = await findReviewStates(pending);
  const licenseOf = await findLicenseEvidence([...heads.values()]);
  const results = await runInParallel(pending, parallelReads, (version) =>
    judgeOne(version, { head: heads.get(toVersionKey(version)), licenseOf }, context),
  );
  const last = pending.length < query.limit ? undefined : pending.at(-1);
  return { results, next: last ? String(last.sequence) : null };
};
