import * as z from 'zod';
import { Ecosystem } from './ecosystem.ts';
import { pageNumbers } from './page.ts';
import { Status } from './status.ts';

/** Package version as lists show it. */
export const PackageListItem = z
  .strictObject({
    name: z.string().describe('The package name, as submitted.'),
    version: z.string(),
    ecosystem: Ecosystem,
    status: Status,
    license: z
      .string()
      .nullable()
      .describe('An SPDX identifier or expression, or the submitted text.'),
  })
  .describe('A package version in a list.');
export type PackageListItem = z.infer<typeof PackageListItem>;

export const Timestamp = z.iso.datetime().describe('A time in UTC.');

/** Label of the token of a request, which may differ from the name in the request. */
export const TokenLabel = z.string().nullable();

const EarlierDecision = z
  .strictObject({
    status: z.enum(['approved', 'rejected']),
    by: z.string().nullable(),
    token_label: TokenLabel.describe(
      'The label of the token of the decision. Null without a label.',
    ),
    at: Timestamp,
    reason: z.string().nullable(),
  })
  .describe('An earlier decision that was replaced or has expired.');

/** Package version with all its fields. A value that is absent or does not apply is null. */
export const PackageDetail = PackageListItem.extend({
  description: z.string().nullable(),
  homepage: z.string().nullable(),
  repository: z.string().nullable(),
  submitted_by: z
    .string()
    .nullable()
    .describe('The submitter in the submission, else the label of the token, else null.'),
  submitted_token_label: TokenLabel.describe(
    'The label of the token of the submission. Null without a label.',
  ),
  submitted_at: Timestamp,
  approved_by: z
    .string()
    .nullable()
    .describe('The name in the decision, else the label of the token, else null.'),
  approved_token_label: TokenLabel.describe(
    'The label of the token of the approval. Null without a label.',
  ),
  approved_at: Timestamp.nullable(),
  rejected_by: z
    .string()
    .nullable()
    .describe('The name in the decision, else the label of the token, else null.'),
  rejected_token_label: TokenLabel.describe(
    'The label of the token of the rejection. Null without a label.',
  ),
  rejected_at: Timestamp.nullable(),
  reason: z.string().nullable().describe('The reason of the current decision.'),
  expires_at: Timestamp.nullable().describe(
    'When the approval expires and the version becomes pending again. Null if it never expires.',
  ),
  previous: EarlierDecision.nullable().describe(
    'The replaced or expired decision. Null if there was none.',
  ),
}).describe('A package version with all its fields. Absent values are null.');
export type PackageDetail = z.infer<typeof PackageDetail>;

export const PackageAnswer = PackageDetail.extend({
  license_normalized: z
    .string()
    .nullable()
    .describe('The normalized license: an SPDX expression. Null if the text is unreadable.'),
  license_note: z.string().nullable().describe('A note on the normalization.'),
}).describe('A package version with all its fields and its normalized license.');
export type PackageAnswer = z.infer<typeof PackageAnswer>;

export const PackagePage = z
  .strictObject({
    packages: z.array(PackageListItem),
    ...pageNumbers,
  })
  .describe('One page of package versions.');
export type PackagePage = z.infer<typeof PackagePage>;
