import * as z from 'zod';
import type { LicenseRecord as DomainRecord } from '../../domain/licenses/license-record.ts';
import { verdicts } from '../../domain/licenses/rules/compatibility-rule.ts';
import { decider } from './decision.ts';
import { LicenseCategory, LicenseStatus } from './license-status.ts';
import { pageNumbers } from './page.ts';
import { line, optional, text, url } from './text.ts';

export const LicenseListItem = z
  .strictObject({
    name: z
      .string()
      .describe("An SPDX identifier or expression, or the organisation's own name for a license."),
    title: z.string().nullable(),
    status: LicenseStatus.describe('The license status.'),
    category: LicenseCategory,
    requires_attribution: z.boolean().nullable(),
    allows_commercial: z.boolean().nullable(),
    url: z.string().nullable().describe('URL of the license text.'),
  })
  .describe('A license in a list. Unknown values are null.');
export type LicenseListItem = z.infer<typeof LicenseListItem>;

export const LicenseRecord = LicenseListItem.extend({
  normalized: z
    .string()
    .nullable()
    .describe(
      "The normalized license: the SPDX expression of the name. Null for the organisation's own license.",
    ),
  compatible_with: z
    .array(z.string())
    .readonly()
    .describe('Licenses of works that may contain code under this license.'),
  incompatible_with: z
    .array(z.string())
    .readonly()
    .describe('Licenses of works that must not contain code under this license.'),
  note: z.string().nullable(),
  reviewed_by: z.string().nullable(),
  reviewed_token_label: z
    .string()
    .nullable()
    .describe('The label of the token that set the status. Null without a label.'),
  reviewed_at: z.iso.datetime().nullable(),
}).describe('A license with its terms and its status.') satisfies z.ZodType<DomainRecord>;
export type LicenseRecord = z.infer<typeof LicenseRecord>;

export const LicensePage = z
  .strictObject({
    licenses: z.array(LicenseListItem),
    ...pageNumbers,
  })
  .describe('One page of licenses, sorted by name.');
export type LicensePage = z.infer<typeof LicensePage>;

const maxNoteLength = 2000;
const maxListed = 500;
const maxNameLength = 255;
const Names = z
  .array(line(maxNameLength))
  .max(maxListed, { error: `must be at most ${maxListed}` });

export const LicenseDecision = z
  .strictObject({
    status: LicenseStatus.nullable().describe(
      'The new status. Null restores the status of the deployed policy.',
    ),
    note: optional(text(maxNoteLength)),
    reviewed_by: decider,
    category: LicenseCategory.optional(),
    title: optional(line(maxNameLength)),
    url: optional(url('https', 'http')),
    requires_attribution: optional(z.boolean()),
    allows_commercial: optional(z.boolean()),
    compatible_with: optional(Names),
    incompatible_with: optional(Names),
  })
  .describe(
    "A decision on a license. The terms can be set for the organisation's own licenses only; those of SPDX licenses come from SPDX.",
  );
export type LicenseDecision = z.infer<typeof LicenseDecision>;

const Reading = z
  .string()
  .nullable()
  .describe("The SPDX expression of the license. Null for the organisation's own license.");

export const LicenseCompatibility = z
  .strictObject({
    license: z.string(),
    license_normalized: Reading,
    other: z.string(),
    other_normalized: Reading,
    verdict: z.enum(verdicts),
    rule: z.string(),
    explanation: z.string(),
    source: z.string().nullable().describe('The source of the rule.'),
  })
  .describe('The answer whether a work under `other` may contain code under `license`.');
export type LicenseCompatibility = z.infer<typeof LicenseCompatibility>;
