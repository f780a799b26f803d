import * as z from 'zod';
import { Ecosystem } from './ecosystem.ts';
import { pageNumbers } from './page.ts';
import { Status } from './status.ts';

/** Package version as lists show it. */
export const PackageListItem = z
  .strictObject({
    name: z.string().describe('As it was submitted.'),
    version: z.string(),
    ecosystem: Ecosystem,
    status: Status,
    license: z
      .string()
      .nullable()
      .describe('An SPDX identifier or expression, or the text that was submitted.'),
  })
  .describe('A package version, as lists show it.');
export type PackageListItem = z.infer<typeof PackageListItem>;

export const Timestamp = z.iso.datetime().describe('A time in UTC.');

/** Label of the token of a request, which may differ from the name in the request. */
export const TokenLabel = z.string().nullable();

const EarlierDecision = z
  .strictObject({
    status: z.enum(['approved', 'rejected']),
    by: z.string().nullable(),
    token_label: TokenLabel.describe('The label of the token that made it; null without one.'),
    at: Timestamp,
    reason: z.string().nullable(),
  })
  .describe('A decision that is in force no more.');

/** Package version with all its fields. A value that is absent or does not apply is null. */
export const PackageDetail = PackageListItem.extend({
  description: z.string().nullable(),
  homepage: z.string().nullable(),
  repository: z.string().nullable(),
  submitted_by: z
    .string()
    .nullable()
    .describe('As the submission says; else the label of the token, if it has one.'),
  submitted_token_label: TokenLabel.describe(
    'The label of the token that submitted it; null without one.',
  ),
  submitted_at: Timestamp,
  approved_by: z
    .string()
    .nullable()
    .describe('As the decision says; else the label of the token, if it has one.'),
  approved_token_label: TokenLabel.describe(
    'The label of the token that approved it; null without one.',
  ),
  approved_at: Timestamp.nullable(),
  rejected_by: z
    .string()
    .nullable()
    .describe('As the decision says; else the label of the token, if it has one.'),
  rejected_token_label: TokenLabel.describe(
    'The label of the token that rejected it; null without one.',
  ),
  rejected_at: Timestamp.nullable(),
  reason: z.string().nullable().describe('Of the decision in force.'),
  expires_at: Timestamp.nullable().describe(
    'When the approval runs out, and the version is pending again; null if it holds for ever.',
  ),
  previous: EarlierDecision.nullable().describe(
    'The decision that the one in force replaced, or that ran out; null if there was none.',
  ),
}).describe(
  'A package version with everything that is known of it. What is absent or does not apply is null.',
);
export type PackageDetail = z.infer<typeof PackageDetail>;

export const PackageAnswer = PackageDetail.extend({
  license_reading: z
    .string()
    .nullable()
    .describe('The SPDX expression that the license reads as; null if it cannot be read.'),
  license_note: z.string().nullable().describe('What to know of that.'),
}).describe('A package version with everything that is known of it, and how its license reads.');
export type PackageAnswer = z.infer<typeof PackageAnswer>;

export const PackagePage = z
  .strictObject({
    packages: z.array(PackageListItem),
    ...pageNumbers,
  })
  .describe('One page of package versions.');
export type PackagePage = z.infer<typeof PackagePage>;
