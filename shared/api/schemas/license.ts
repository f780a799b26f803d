import * as z from 'zod';
import type { LicenseRecord as DomainRecord } from '../../domain/licenses/license-record.ts';
import { verdicts } from '../../domain/licenses/rules/rule.ts';
import { LicenseCategory, LicenseStatus } from './license-status.ts';
import { pageNumbers } from './page.ts';
import { Identity, line, optional, text, url } from './text.ts';

export const LicenseListItem = z
  .strictObject({
    name: z.string().describe("An SPDX identifier or expression, or a name of the organisation's."),
    title: z.string().nullable(),
    status: LicenseStatus.describe('What the organisation thinks of it.'),
    category: LicenseCategory,
    requires_attribution: z.boolean().nullable(),
    allows_commercial: z.boolean().nullable(),
    url: z.string().nullable().describe('Where its text is.'),
  })
  .describe('A license, as lists show it. What is not known of it is null.');
export type LicenseListItem = z.infer<typeof LicenseListItem>;

export const LicenseRecord = LicenseListItem.extend({
  reading: z
    .string()
    .nullable()
    .describe(
      'The SPDX expression that the name reads as, by which all else was found; null for a license that the organisation alone knows.',
    ),
  compatible_with: z
    .array(z.string())
    .readonly()
    .describe('Works released under these licenses may contain code under this one.'),
  incompatible_with: z
    .array(z.string())
    .readonly()
    .describe('Works released under these licenses may not contain code under this one.'),
  note: z.string().nullable(),
  reviewed_by: z.string().nullable(),
  reviewed_token_label: z
    .string()
    .nullable()
    .describe('The label of the token that decided on it; null without one.'),
  reviewed_at: z.iso.datetime().nullable(),
}).describe(
  'What the organisation knows and thinks of a license.',
) satisfies z.ZodType<DomainRecord>;
export type LicenseRecord = z.infer<typeof LicenseRecord>;

export const LicensePage = z
  .strictObject({
    licenses: z.array(LicenseListItem),
    ...pageNumbers,
  })
  .describe('One page of licenses, by name.');
export type LicensePage = z.infer<typeof LicensePage>;

const maxNoteLength = 2000;
const maxListed = 500;
const maxNameLength = 255;
const Names = z
  .array(line(maxNameLength))
  .max(maxListed, { error: `must be at most ${maxListed}` });

export const LicenseDecision = z
  .strictObject({
    status: LicenseStatus.nullable().describe("null goes back to the policy's."),
    note: optional(text(maxNoteLength)),
    reviewed_by: optional(Identity),
    category: LicenseCategory.optional(),
    title: optional(line(maxNameLength)),
    url: optional(url('https', 'http')),
    requires_attribution: optional(z.boolean()),
    allows_commercial: optional(z.boolean()),
    compatible_with: optional(Names),
    incompatible_with: optional(Names),
  })
  .describe(
    "What the organisation decides on a license. The facts are for a license of the organisation's own; those of an SPDX license come from its text.",
  );
export type LicenseDecision = z.infer<typeof LicenseDecision>;

const Reading = z
  .string()
  .nullable()
  .describe(
    'The SPDX expression that was decided on; null for a license that the organisation alone knows.',
  );

export const LicenseCompatibility = z
  .strictObject({
    license: z.string(),
    license_reading: Reading,
    other: z.string(),
    other_reading: Reading,
    verdict: z.enum(verdicts),
    rule: z.string(),
    explanation: z.string(),
    source: z.string().nullable().describe('Who says so.'),
  })
  .describe('Whether a work released under `other` may contain code under `license`.');
export type LicenseCompatibility = z.infer<typeof LicenseCompatibility>;
