import { toVersionKey } from '../../domain/packages/package-id.ts';
import type { PolicyVerdict } from '../../domain/policy/apply-rules.ts';
import { listAwaited, type Wait } from '../../domain/policy/readiness.ts';
import type { Status } from '../../domain/review/status.ts';
import { listVersionsAfter, type NumberedVersion } from '../../storage/catalogue/versions-after.ts';
import { findReviewStates, type ReviewState } from '../../storage/reviews/review-state.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { findLicenseEvidence, type LicenseLookup } from '../licensing/find-license-evidence.ts';
import type { PolicyContext } from './apply-policy.ts';
import { judgeByPolicy } from './judge-by-policy.ts';

const parallelReads = 8;

/** Policy and settings of an evaluation that decides nothing. */
export type EvaluationContext = Pick<PolicyContext, 'policy' | 'rules' | 'inquiries' | 'now'>;

/** Version with the policy's verdict on it. */
export interface EvaluatedVersion {
  readonly version: NumberedVersion;
  /** Undefined if the review state is missing or damaged. */
  readonly head: ReviewState | undefined;
  /** Automatic checks that the version still waits for. */
  readonly waits: readonly Wait[];
  /**
   * Null if rules do not apply to the version: it waits for checks, its review state is unreadable, or it is pending after an
   * earlier decision.
   */
  readonly verdict: PolicyVerdict | null;
}

/** Returns a page of versions after a sequence number. One storage call covers one partition only. */
export const listVersions = async (
  status: Status,
  after: number,
  limit: number,
): Promise<NumberedVersion[]> => {
  const found: NumberedVersion[] = [];
  while (found.length < limit) {
    const sequence = found.at(-1)?.sequence ?? after;
    const more = await listVersionsAfter({ status, sequence }, limit - found.length);
    if (more.length === 0) break;
    found.push(...more);
  }
  return found;
};

const evaluateOne = async (
  version: NumberedVersion,
  {
    head,
    licenseOf,
  }: { readonly head: ReviewState | undefined; readonly licenseOf: LicenseLookup },
  context: EvaluationContext,
): Promise<EvaluatedVersion> => {
  const isReopened = version.status === 'pending' && head && head.revision > 0;
  if (!head || isReopened) return { version, head, waits: [], verdict: null };
  const { ecosystem, name, version: number } = version;
  const waits = listAwaited({ ecosystem, ...head }, context.inquiries);
  if (waits.length > 0) return { version, head, waits, verdict: null };
  const id = { ecosystem, name, version: number };
  const { verdict } = await judgeByPolicy({ id, head, license: licenseOf(head) }, context);
  return { version, head, waits, verdict };
};

/** Evaluates the policy for versions, with one batch of reads for all of them. Writes nothing. */
export const evaluateVersions = async (
  versions: readonly NumberedVersion[],
  context: EvaluationContext,
): Promise<EvaluatedVersion[]> => {
  const heads = await findReviewStates(versions);
  const licenseOf = await findLicenseEvidence([...heads.values()]);
  return runInParallel(versions, parallelReads, (version) =>
    evaluateOne(version, { head: heads.get(toVersionKey(version)), licenseOf }, context),
  );
};
