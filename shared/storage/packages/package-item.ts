import type { PackageDetail, PackageListItem } from '../../api/schemas/package.ts';
import type { StoredNormalization } from '../../domain/licenses/normalization.ts';
import type { AutomaticSubmission } from '../../domain/review/automatic-submission.ts';
import type { SubmittedWith } from '../../domain/review/reviewer.ts';
import { defineTable } from '../dynamodb/table.ts';
import { toIndexKeys, toItemKey } from './version-keys.ts';

/**
 * Details of a submission that the package detail does not contain. Absent values are omitted, because every index
 * stores the whole item.
 */
export interface SubmissionNote extends Pick<SubmittedWith, 'submitter_fingerprint'> {
  /** Justification of the submission. */
  readonly justification?: string;
  /** Batch that the submission named. */
  readonly batch?: string;
  /** Why the registry submitted the version itself. */
  readonly automatic?: AutomaticSubmission;
}

/** Detail of a version, with the normalization of its license. */
export interface VersionDetail extends PackageDetail {
  readonly normalization?: StoredNormalization;
}

/** Stored package version: detail, submission details, keys and revision. */
export interface PackageItem extends VersionDetail, SubmissionNote {
  readonly name_key: string;
  readonly version_key: string;
  /** Sequence number of the submission, as sortable text. */
  readonly sequence: string;
  /**
   * Digest of the facts that package managers receive: the evidence of the approval, or the first facts after it.
   * Absent or null if the version is not approved, or if upstream metadata is unknown.
   */
  readonly pinned?: string | null;
  /** Number of decisions: the optimistic lock of a decision. */
  readonly revision: number;
  /** Id of the transaction that wrote the item last. */
  readonly write_id: string;
}

export const packagesTable = defineTable<PackageItem>('packages');

/** Returns the stored item of a new version. */
export const toPackageItem = (
  detail: VersionDetail,
  {
    sequence,
    writeId,
    note,
  }: { readonly sequence: string; readonly writeId: string; readonly note: SubmissionNote },
): PackageItem => ({
  ...toItemKey(detail),
  ...toIndexKeys({ ...detail, sequence }),
  ...detail,
  ...note,
  revision: 0,
  write_id: writeId,
});

export const toListItem = ({
  name,
  version,
  ecosystem,
  status,
  license,
}: PackageListItem): PackageListItem => ({ name, version, ecosystem, status, license });

export const toDetail = (item: VersionDetail): VersionDetail => ({
  ...toListItem(item),
  ...(item.normalization !== undefined && { normalization: item.normalization }),
  description: item.description,
  homepage: item.homepage,
  repository: item.repository,
  submitted_by: item.submitted_by,
  submitted_token_label: item.submitted_token_label,
  submitted_at: item.submitted_at,
  approved_by: item.approved_by,
  approved_token_label: item.approved_token_label,
  approved_at: item.approved_at,
  rejected_by: item.rejected_by,
  rejected_token_label: item.rejected_token_label,
  rejected_at: item.rejected_at,
  reason: item.reason,
  expires_at: item.expires_at,
  previous: item.previous,
});
