import * as z from 'zod';
import { statedStatuses } from '../../domain/licenses/license-status.ts';
import { mostPendingUpdates } from '../../domain/review/automatic-submission.ts';
import { scanStatuses } from '../../domain/vulnerabilities/scan-result.ts';
import { AutomaticSubmission } from './automatic-submission.ts';
import { EvidenceVersion, Issue } from './evidence.ts';
import { PackageListItem, Timestamp, TokenLabel } from './package.ts';
import { pageNumbers } from './page.ts';
import { SeverityCounts } from './scan.ts';

const ListedTool = z
  .strictObject({
    tool: z.string(),
    label: TokenLabel.describe(
      "The label of the token. Null for a token without a label, and for the registry's own scans.",
    ),
    number: z.int().positive().describe('The number of its newest scan.'),
    scan_date: Timestamp.describe('When the newest scan was received or made.'),
  })
  .describe('A scan source: a tool together with the label of its token.');

const ListedScan = z
  .strictObject({
    status: z.enum(scanStatuses),
    severity: SeverityCounts.describe('Number of open vulnerabilities by severity.'),
    at: Timestamp.describe('When the newest scan finished or failed.'),
    tools: z.array(ListedTool).describe('The scan sources of the version.'),
  })
  .describe('Summary of all scans.');

/** Package version in a list with `view=full`. */
export const ListedVersion = PackageListItem.extend({
  submitted_at: Timestamp.nullable().describe(
    'Null if the review state of the version is lost. The integrity check restores it.',
  ),
  submitted_by: z.string().nullable(),
  submitted_token_label: TokenLabel.describe(
    'The label of the token of the submission. Null without a label.',
  ),
  license_status: z
    .enum(statedStatuses)
    .nullable()
    .describe('The status of the effective license. Null if there is none.'),
  effective_license: z
    .string()
    .nullable()
    .describe('The effective license, as an SPDX expression if there is one.'),
  scan: ListedScan.nullable().describe('Summary of all scans. Null if the version has no scan.'),
  issues: z.array(Issue),
  evidence_version: EvidenceVersion.nullable().describe(
    'The `evidence_version` of `GET /packages/{name}/evidence`. Null if the review state is lost.',
  ),
  expires_at: Timestamp.nullable().describe('When the approval expires. Null if it never expires.'),
  automatic: AutomaticSubmission.nullable().describe(
    'Why the registry submitted the version itself. Null if a request submitted it.',
  ),
  newer_update: z
    .string()
    .nullable()
    .describe(
      'The higher pending version that the registry submitted as an update of the package, for a pending update that it submitted earlier; for a security fix, the highest pending fix. Null for all other versions.',
    ),
  older_updates: z
    .array(z.string())
    .describe('The versions of which this version is the `newer_update`, lowest first.'),
}).describe('A package version with the data for a decision (`view=full`).');
export type ListedVersion = z.infer<typeof ListedVersion>;

export const ListedPage = z
  .strictObject({
    packages: z.array(
      z
        .union([PackageListItem, ListedVersion])
        .describe('A package version, with more data with `view=full`.'),
    ),
    ...pageNumbers,
    older_updates: z
      .int()
      .nonnegative()
      .max(mostPendingUpdates)
      .optional()
      .describe(
        `Number of matches that have a \`newer_update\`, among the first ${mostPendingUpdates.toLocaleString('en')} pending updates by the registry. Only with \`view=full\` and \`status=pending\`, and without \`search\`.`,
      ),
  })
  .describe('One page of package versions, with more data on each with `view=full`.');
export type ListedPage = z.infer<typeof ListedPage>;
