import * as z from 'zod';
import { licenseCategories } from '../domain/licenses/category.ts';
import type { LicenseRecord as DomainRecord } from '../domain/licenses/license-record.ts';
import { verdicts } from '../domain/licenses/rules/rule.ts';
import { licenseStatuses } from '../domain/licenses/status.ts';
import { limitAndOffset, Search } from './query.ts';
import { Identity, line, optional, text, url } from './text.ts';

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

const LicenseStatus = oneOf(licenseStatuses);
const LicenseCategory = oneOf(licenseCategories);

/** A license as lists show it. What is not known of it is null. */
export const LicenseListItem = z.strictObject({
  name: z.string(),
  title: z.string().nullable(),
  status: LicenseStatus,
  category: LicenseCategory,
  requires_attribution: z.boolean().nullable(),
  allows_commercial: z.boolean().nullable(),
  url: z.string().nullable(),
});
export type LicenseListItem = z.infer<typeof LicenseListItem>;

/**
 * What the organisation knows and thinks of a license. `reading` is the SPDX expression that the name reads as, and what
 * all else was found by; null for a license that the organisation alone knows. `compatible_with` lists the licenses B such that a work
 * released under B may contain code under this one; `incompatible_with` those where it may not.
 */
export const LicenseRecord = LicenseListItem.extend({
  reading: z.string().nullable(),
  compatible_with: z.array(z.string()).readonly(),
  incompatible_with: z.array(z.string()).readonly(),
  note: z.string().nullable(),
  reviewed_by: z.string().nullable(),
  reviewed_at: z.iso.datetime().nullable(),
}) satisfies z.ZodType<DomainRecord>;
export type LicenseRecord = z.infer<typeof LicenseRecord>;

/** One page of licenses by name, and how many there are in all. */
export const LicensePage = z.strictObject({
  licenses: z.array(LicenseListItem),
  total: z.int().nonnegative(),
  limit: z.int().positive(),
  offset: z.int().nonnegative(),
});
export type LicensePage = z.infer<typeof LicensePage>;

export const LicensesQuery = z.strictObject({
  search: Search.optional(),
  status: LicenseStatus.optional(),
  category: LicenseCategory.optional(),
  ...limitAndOffset,
});
export type LicensesQuery = z.infer<typeof LicensesQuery>;

const maxNoteLength = 2000;
const maxListed = 500;
const maxNameLength = 255;
const Names = z
  .array(line(maxNameLength))
  .max(maxListed, { error: `must be at most ${maxListed}` });

/**
 * What the organisation decides on a license: `status` null goes back to the policy's. The facts are for a license of the
 * organisation's own; those of an SPDX license come from its text.
 */
export const LicenseDecision = z.strictObject({
  status: LicenseStatus.nullable(),
  note: optional(text(maxNoteLength)),
  reviewed_by: optional(Identity),
  category: LicenseCategory.optional(),
  title: optional(line(maxNameLength)),
  url: optional(url('https', 'http')),
  requires_attribution: optional(z.boolean()),
  allows_commercial: optional(z.boolean()),
  compatible_with: optional(Names),
  incompatible_with: optional(Names),
});
export type LicenseDecision = z.infer<typeof LicenseDecision>;

/**
 * Whether a work released under `other` may contain code under `license`, by which rule, and who says so. The readings are
 * the SPDX expressions that was decided on; null for a license that the organisation alone knows.
 */
export const LicenseCompatibility = z.strictObject({
  license: z.string(),
  license_reading: z.string().nullable(),
  other: z.string(),
  other_reading: z.string().nullable(),
  verdict: z.enum(verdicts),
  rule: z.string(),
  explanation: z.string(),
  source: z.string().nullable(),
});
export type LicenseCompatibility = z.infer<typeof LicenseCompatibility>;
