import type { PackageDetail, PackageListItem } from '../schemas/package.ts';
import { indexKeys, packageItemKey } from './keys.ts';

/** A package version as it is stored: the detail, its keys, and how often it was decided. */
export interface PackageItem extends PackageDetail {
  readonly name_key: string;
  readonly version_key: string;
  readonly ordinal: string;
  /** Counts decisions, so that one can be conditional on nobody else having decided meanwhile. */
  readonly revision: number;
}

export const toItem = (detail: PackageDetail, ordinal: string) => ({
  ...packageItemKey(detail),
  ...indexKeys({ ...detail, ordinal }),
  ...detail,
  revision: 0,
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
  submitted_at: item.submitted_at,
  approved_by: item.approved_by,
  approved_at: item.approved_at,
  rejected_by: item.rejected_by,
  rejected_at: item.rejected_at,
  reason: item.reason,
});
