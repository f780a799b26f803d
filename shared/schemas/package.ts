import * as z from 'zod';
import { statuses } from '../domain/status.ts';
import { Ecosystem } from './ecosystem.ts';

export const Status = z.enum(statuses, { error: `must be one of ${statuses.join(', ')}` });
export type Status = z.infer<typeof Status>;

/** A package version as lists show it. */
export const PackageListItem = z.strictObject({
  name: z.string(),
  version: z.string(),
  ecosystem: Ecosystem,
  status: Status,
  license: z.string().nullable(),
});
export type PackageListItem = z.infer<typeof PackageListItem>;

const Timestamp = z.iso.datetime();

/** A package version with everything that is known of it; what is absent or does not apply is null. */
export const PackageDetail = PackageListItem.extend({
  description: z.string().nullable(),
  homepage: z.string().nullable(),
  repository: z.string().nullable(),
  submitted_by: z.string().nullable(),
  submitted_at: Timestamp,
  approved_by: z.string().nullable(),
  approved_at: Timestamp.nullable(),
  rejected_by: z.string().nullable(),
  rejected_at: Timestamp.nullable(),
  reason: z.string().nullable(),
});
export type PackageDetail = z.infer<typeof PackageDetail>;

/** The same, and how its license reads: as which SPDX expression, null if it cannot be read, and what to know of that. */
export const PackageAnswer = PackageDetail.extend({
  license_reading: z.string().nullable(),
  license_note: z.string().nullable(),
});
export type PackageAnswer = z.infer<typeof PackageAnswer>;

/** One page of package versions, and how many there are in all. */
export const PackagePage = z.strictObject({
  packages: z.array(PackageListItem),
  total: z.int().nonnegative(),
  limit: z.int().positive(),
  offset: z.int().nonnegative(),
});
export type PackagePage = z.infer<typeof PackagePage>;
