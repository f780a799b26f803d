import * as z from 'zod';
import { statedStatuses } from '../../domain/licenses/status.ts';
import { scanStatuses } from '../../domain/vulnerabilities/scan-result.ts';
import { EvidenceVersion, Objection } from './evidence.ts';
import { PackageListItem, Timestamp, TokenLabel } from './package.ts';
import { pageNumbers } from './page.ts';
import { SeverityCounts } from './scan.ts';

const ListedTool = z
  .strictObject({
    tool: z.string(),
    label: TokenLabel.describe(
      "That of the token; null where it has none, and of the registry's own scans.",
    ),
    number: z.int().positive().describe('Of its newest scan.'),
    scan_date: Timestamp.describe('When that was sent or made.'),
  })
  .describe('A tool whose scans count, with one token.');

const ListedScan = z
  .strictObject({
    status: z.enum(scanStatuses),
    severity: SeverityCounts.describe('What counts.'),
    at: Timestamp.describe('When a scan last finished or broke.'),
    tools: z.array(ListedTool).describe('With what it was scanned, and by which tokens.'),
  })
  .describe('What all scans come to together.');

/** Package version in a list with `view=full`. */
export const ListedVersion = PackageListItem.extend({
  submitted_at: Timestamp.nullable().describe(
    'Null if the review state of the version is lost: the integrity check restores it.',
  ),
  submitted_by: z.string().nullable(),
  submitted_token_label: TokenLabel.describe(
    'The label of the token that submitted it; null without one.',
  ),
  license_status: z
    .enum(statedStatuses)
    .nullable()
    .describe('What the organisation thinks of the license that counts; null where there is none.'),
  effective_license: z
    .string()
    .nullable()
    .describe(
      'The license that counts, as an SPDX expression where there is one: what the package declares, or what was submitted where that is worse, or where the package declares none.',
    ),
  scan: ListedScan.nullable().describe('Null where it was never scanned.'),
  objections: z.array(Objection),
  evidence_version: EvidenceVersion.nullable().describe(
    'As `GET /packages/{name}/evidence` names it; null where what reviews know of it is lost.',
  ),
  expires_at: Timestamp.nullable().describe(
    'When the approval runs out; null if it holds for ever.',
  ),
}).describe('A package version with what matters for a decision, as lists show it by `view=full`.');
export type ListedVersion = z.infer<typeof ListedVersion>;

export const ListedPage = z
  .strictObject({
    packages: z.array(z.union([PackageListItem, ListedVersion])),
    ...pageNumbers,
  })
  .describe('One page of package versions; with `view=full`, all of what that shows of each.');
export type ListedPage = z.infer<typeof ListedPage>;
