import * as z from 'zod';
import { recordTypes } from '../../domain/review/record-type.ts';
import { scanStatuses } from '../../domain/vulnerabilities/scan-result.ts';
import { verdicts } from '../../domain/vulnerabilities/verdict.ts';
import { Ecosystem } from './ecosystem.ts';
import { FactsSummary } from './facts.ts';
import { LicenseEvidence } from './license-evidence.ts';
import { Timestamp } from './package.ts';
import { SeverityCounts } from './scan.ts';
import { Status } from './status.ts';

const ScanEvidence = z
  .strictObject({
    number: z
      .int()
      .positive()
      .describe('Number of the scan, for `number` of `GET /security/scans/{name}`.'),
    tools_used: z.array(z.string()),
    label: z.string().nullable().describe('The label of the token of the upload.'),
    scan_date: Timestamp,
    status: z.enum(scanStatuses),
    severity: SeverityCounts,
  })
  .describe('A scan in the evidence.');

const MergedScanEvidence = z
  .strictObject({
    status: z.enum([...verdicts, 'error', 'missing']),
    severity: SeverityCounts.describe('What counted.'),
    accepted: z.int().describe('Number of accepted vulnerabilities, which are not counted.'),
  })
  .describe('The merged scan: the result of all scan sources.');

const RecordScan = z
  .strictObject({
    tool: z.string(),
    label: z.string().nullable(),
    number: z.int().positive(),
  })
  .describe('The scan of the event.');

const RecordAcceptance = z
  .strictObject({
    vulnerability: z.string().describe('The accepted id, in upper case.'),
    number: z.int().positive().describe('The number of the acceptance under that id.'),
  })
  .describe('An accepted risk of a vulnerability.');

const Evidence = z
  .strictObject({
    scans: z.array(ScanEvidence).describe('The scans of the version. Empty if it has no scan.'),
    merged_scan: MergedScanEvidence,
    license: LicenseEvidence,
    facts: FactsSummary.nullable().describe(
      'Summary of the upstream metadata. Null if it was not collected yet.',
    ),
  })
  .describe('Evidence of the decision.');

/** Event in the history of a package version, or of all versions of a package. */
export const HistoryEntry = z
  .strictObject({
    id: z.string().describe('Identifier of the event.'),
    type: z
      .enum(recordTypes)
      .exclude([
        'license.decided',
        'recall.confirmed',
        'recall.dismissed',
        'registry.frozen',
        'registry.unfrozen',
      ]),
    at: Timestamp,
    ecosystem: Ecosystem,
    name: z.string(),
    version: z.string().nullable().describe('Null if the event concerns all versions.'),
    by: z
      .string()
      .nullable()
      .describe('The actor: the name in the request, else the label of the token.'),
    token_label: z.string().nullable().describe('The label of the token of the request.'),
    from: Status.nullable().describe(
      'The status before. Null for a new version, and for an event of a vulnerability.',
    ),
    to: Status.nullable().describe(
      'The status after. Null for an event of a vulnerability, and for a version that a restore removed.',
    ),
    reason: z.string().nullable(),
    justification: z.string().nullable().describe("The submitter's justification."),
    rule: z
      .string()
      .nullable()
      .describe('The policy rule that decided. Null for a decision by a person.'),
    overridden: z.array(z.string()).describe('Codes of the overridden blocking issues.'),
    expires_at: Timestamp.nullable().describe(
      'When the approval or the acceptance expires. Null if never.',
    ),
    acceptance: RecordAcceptance.nullable().describe('The acceptance that was made or ended.'),
    scan: RecordScan.nullable().describe(
      'The scan that was received, dismissed or changed the result.',
    ),
    question: z.boolean().describe('True for a comment that is a question.'),
    evidence: Evidence.nullable().describe('Evidence of the decision. Null for other events.'),
  })
  .describe(
    'An event of a version: a submission, a decision, an expired approval, a change of its scans, a comment, or a risk acceptance that began or ended.',
  );
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const HistoryPage = z
  .strictObject({
    history: z.array(HistoryEntry),
    next: z.string().nullable().describe('Cursor: send it as `before` to get the next page.'),
  })
  .describe('The history of a package, newest first.');
export type HistoryPage = z.infer<typeof HistoryPage>;
