import type { PackageDetail, PackageListItem } from '../../api/schemas/package.ts';
import type { SubmittedWith } from '../../domain/review/reviewer.ts';
import { defineTable } from '../dynamodb/table.ts';
import { toIndexKeys, toItemKey } from './version-keys.ts';

/**
 * How a version came to the registry, as far as its detail does not tell. What nobody said is left out: every index holds
 * all of an item.
 */
export interface SubmissionNote extends Pick<SubmittedWith, 'submitter_fingerprint'> {
  /** Why it is wanted. */
  readonly justification?: string;
}

/** A package version as it is stored: the detail, how it came, its keys, and how often it was decided. */
export interface PackageItem extends PackageDetail, SubmissionNote {
  readonly name_key: string;
  readonly version_key: string;
  /** The place in the order of submissions, as text that sorts. */
  readonly ordinal: string;
  /**
   * The digest of the facts that its approval stands on, or of the first ones that came after it: what package managers
   * are served. Not there, or null, where it is not approved or nothing is known of it at its origin.
   */
  readonly pinned?: string | null;
  /** Counts decisions, so that one can be conditional on nobody else having decided meanwhile. */
  readonly revision: number;
  /** Names the transaction that wrote it last. */
  readonly write_id: string;
}

export const packagesTable = defineTable<PackageItem>('packages');

/** A new version as it is stored. */
export const toPackageItem = (
  detail: PackageDetail,
  {
    ordinal,
    writeId,
    note,
  }: { readonly ordinal: string; readonly writeId: string; readonly note: SubmissionNote },
): PackageItem => ({
  ...toItemKey(detail),
  ...toIndexKeys({ ...detail, ordinal }),
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

export const toDetail = (item: PackageDetail): PackageDetail => ({
  ...toListItem(item),
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
