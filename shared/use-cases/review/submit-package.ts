import type { Submission } from '../../api/schemas/submission.ts';
import { RegistryError } from '../../domain/errors.ts';
import { chooseFirstRefresh } from '../../domain/facts/refresh-schedule.ts';
import { spellLicense } from '../../domain/licenses/license-id.ts';
import { normalizeLicense } from '../../domain/licenses/normalize/normalize-license.ts';
import { formatPackage } from '../../domain/packages/format-package.ts';
import { isOwnPackage, type OwnPackages } from '../../domain/packages/own-packages.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import type { AutomaticSubmission } from '../../domain/review/automatic-submission.ts';
import { maxBatches } from '../../domain/review/batches.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import { checkSubmitter } from '../../domain/review/reviewer.ts';
import { takePosition } from '../../storage/catalogue/sequence-numbers.ts';
import { addToCatalogue } from '../../storage/catalogue/writes.ts';
import { addRecord, type RecordFacts } from '../../storage/decisions/records.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import type {
  PackageItem,
  SubmissionNote,
  VersionDetail,
} from '../../storage/packages/package-item.ts';
import { countNewVersion } from '../../storage/packages/version-counts.ts';
import {
  findVersion,
  makeCommitMarker,
  putNewVersion,
} from '../../storage/packages/write-version.ts';
import { takeFromQuota } from '../../storage/quotas/quotas.ts';
import { joinBatch } from '../../storage/reviews/join-batch.ts';
import { putNewReviewState } from '../../storage/reviews/review-state-writes.ts';
import { putUnscanned } from '../../storage/scans/unscanned.ts';
import type { ApprovalRules } from './judge-version.ts';
import type { ReviewContext } from './review-context.ts';

/** Returns the license of a submission in SPDX's spelling, with its normalization. */
const toLicense = ({ license }: Submission): Pick<VersionDetail, 'license' | 'normalization'> => {
  if (!license) return { license: null };
  const spelled = spellLicense(license.trim());
  const normalization = normalizeLicense(spelled);
  return { license: spelled, ...(normalization !== undefined && { normalization }) };
};

const toPendingDetail = (
  submission: Submission,
  { actor, now }: WriteContext<VersionDetail>,
): VersionDetail => ({
  name: submission.name,
  version: submission.version,
  ecosystem: submission.ecosystem,
  status: 'pending',
  ...toLicense(submission),
  description: submission.description ?? null,
  homepage: submission.homepage ?? null,
  repository: submission.repository ?? null,
  submitted_by: submission.submitted_by ?? actor.label,
  submitted_token_label: actor.label,
  submitted_at: now.toISOString(),
  approved_by: null,
  approved_token_label: null,
  approved_at: null,
  rejected_by: null,
  rejected_token_label: null,
  rejected_at: null,
  reason: null,
  expires_at: null,
  previous: null,
});

const toNote = (
  { justification, batch }: Submission,
  { actor: { fingerprint } }: ReviewContext,
  automatic: AutomaticSubmission | undefined,
): SubmissionNote => ({
  ...(justification && { justification }),
  ...(batch && { batch }),
  ...(automatic && { automatic }),
  ...(fingerprint !== null && { submitter_fingerprint: fingerprint }),
});

const toRecord = (
  { submitted_by }: VersionDetail,
  { justification }: SubmissionNote,
): RecordFacts => ({
  type: 'package.submitted',
  by: submitted_by,
  from: null,
  to: 'pending',
  reason: null,
  ...(justification !== undefined && { justification }),
});

const refuseDuplicate = ({ ecosystem, name, version }: PackageId, state: string): RegistryError =>
  new RegistryError(
    'package_exists',
    `${formatPackage({ ecosystem, name, version })} was submitted before${state}`,
    { location: { ecosystem, name, version } },
  );

const explainDuplicate =
  (submission: Submission) =>
  (stored: PackageItem | undefined): RegistryError => {
    const status = stored && statusAt(stored, new Date());
    return refuseDuplicate(stored ?? submission, ` and is ${status}.`);
  };

/** Returns the refusal of a version that exists. A pending version joins the batch of the submission, and the refusal says so. */
const refuseKnown = async (known: PackageItem, submission: Submission): Promise<RegistryError> => {
  const { batch } = submission;
  if (!batch || known.status !== 'pending') return explainDuplicate(submission)(known);
  const isNew = await joinBatch(known, batch);
  const state = isNew
    ? `. It is pending already, and is now also in batch ${batch}.`
    : ` and is pending. It is in batch ${batch} already, or in ${maxBatches} others.`;
  return refuseDuplicate(known, state);
};

/** Returns the error of a failed submission. Another request may have submitted the version in the meantime. */
const explainFailure = async (error: unknown, submission: Submission): Promise<unknown> => {
  const isDuplicate = error instanceof RegistryError && error.code === 'package_exists';
  const known = isDuplicate && submission.batch ? await findVersion(submission) : undefined;
  return known ? refuseKnown(known, submission) : error;
};

const refuseOwn = (submission: Submission): RegistryError =>
  new RegistryError(
    'own_package',
    `${formatPackage(submission)} is one of your organisation's own packages (setting ownPackages): it needs no review.`,
  );

/** Settings of the organisation for submissions. */
interface SubmissionRules extends Pick<ApprovalRules, 'fourEyes'> {
  /** Daily limit of submissions for all tokens of one label; 0 or omitted means no limit. */
  readonly submissionsPerDay?: number;
  /** The organisation's own packages, which need no review. */
  readonly own?: readonly OwnPackages[];
  /** Why the registry submits the version itself; absent for a request of the API. */
  readonly automatic?: AutomaticSubmission;
}

/**
 * Adds a package version to the registry, pending review. A version that is pending already joins the batch of the
 * submission.
 * @throws {RegistryError} `package_exists` (in any status), `own_package`, `label_required` or `quota_reached`
 */
export const submitPackage = async (
  submission: Submission,
  context: ReviewContext,
  { fourEyes = false, submissionsPerDay = 0, own = [], automatic }: SubmissionRules = {},
): Promise<VersionDetail> => {
  const { actor, catalogue, deadline } = context;
  checkSubmitter(actor, { fourEyes });
  if (isOwnPackage(own, submission)) throw refuseOwn(submission);
  // Checked before a sequence number is taken: a refused submission must leave no gap in the sequence.
  const known = await findVersion(submission);
  if (known) throw await refuseKnown(known, submission);
  await takeFromQuota({ name: 'submissionsPerDay', most: submissionsPerDay }, context);
  const detail = toPendingDetail(submission, context);
  const note = toNote(submission, context, automatic);
  const asksAt = chooseFirstRefresh(context.now);
  await takePosition(async (sequence) => {
    const commitMarker = makeCommitMarker(detail);
    await transact(
      () => [
        ...context.remember(detail),
        putNewVersion(detail, { sequence, note, ...commitMarker }, explainDuplicate(submission)),
        countNewVersion(detail),
        ...addToCatalogue(detail, sequence, catalogue),
        putNewReviewState(detail, { asksAt, note }),
        addRecord(detail, toRecord(detail, note), { actor, at: detail.submitted_at }),
        ...putUnscanned(detail),
      ],
      deadline,
      commitMarker,
    );
  }, deadline).catch(async (error: unknown) => {
    throw await explainFailure(error, submission);
  });
  return detail;
};
