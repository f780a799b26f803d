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
      .describe('Reads the scan itself: `number` of `GET /security/scans/{name}`.'),
    tools_used: z.array(z.string()),
    label: z.string().nullable().describe('The label of the token that it was sent with.'),
    scan_date: Timestamp,
    status: z.enum(scanStatuses),
    severity: SeverityCounts,
  })
  .describe('A scan that was looked at.');

const MergedScanEvidence = z
  .strictObject({
    status: z.enum([...verdicts, 'error', 'missing']),
    severity: SeverityCounts.describe('What counted.'),
    accepted: z.int().describe('How many vulnerabilities were accepted, and did not count.'),
  })
  .describe('What all scans came to together.');

const RecordScan = z
  .strictObject({
    tool: z.string(),
    label: z.string().nullable(),
    number: z.int().positive(),
  })
  .describe('A scan.');

const RecordAcceptance = z
  .strictObject({
    vulnerability: z.string().describe('The id that was accepted, in upper case.'),
    number: z.int().positive().describe('Which of the acceptances of that id.'),
  })
  .describe('That a vulnerability is lived with.');

const Evidence = z
  .strictObject({
    scans: z.array(ScanEvidence).describe('Empty where the version had never been scanned.'),
    picture: MergedScanEvidence,
    license: LicenseEvidence,
    facts: FactsSummary.nullable().describe('Null where its origin had not been asked.'),
  })
  .describe('What a decision stood on.');

/** Event in the history of a package version, or of all versions of a package. */
export const HistoryEntry = z
  .strictObject({
    id: z.string().describe('That of its event.'),
    type: z.enum(recordTypes).exclude(['license.decided']),
    at: Timestamp,
    ecosystem: Ecosystem,
    name: z.string(),
    version: z.string().nullable().describe('Null where it is about all versions.'),
    by: z.string().nullable().describe('Who did it, as they said; else the label of their token.'),
    token_label: z.string().nullable().describe('The label of the token that it was done with.'),
    from: Status.nullable().describe('Where the version stood before.'),
    to: Status.nullable().describe(
      'Where it stands since; null where it is about a vulnerability, which moves no version.',
    ),
    reason: z.string().nullable(),
    justification: z
      .string()
      .nullable()
      .describe('Why a version is wanted, as its submission says.'),
    rule: z
      .string()
      .nullable()
      .describe('The rule of the policy that decided; null where a person did, or nobody.'),
    overridden: z
      .array(z.string())
      .describe('The codes of what stood in the way of an approval, and was overridden.'),
    expires_at: Timestamp.nullable().describe(
      'When the approval or the acceptance runs out; null if never.',
    ),
    acceptance: RecordAcceptance.nullable().describe('The one that was made, or ended.'),
    scan: RecordScan.nullable().describe('The one that it happened with, or to.'),
    evidence: Evidence.nullable().describe('What it stood on; null where nobody decided.'),
  })
  .describe(
    'A submission, a decision, an approval that ran out, what became of its scans, or a vulnerability that was accepted or is no more.',
  );
export type HistoryEntry = z.infer<typeof HistoryEntry>;

export const HistoryPage = z
  .strictObject({
    history: z.array(HistoryEntry),
    next: z.string().nullable().describe('What to send as `before` for the page after this one.'),
  })
  .describe('What happened to a package, newest first.');
export type HistoryPage = z.infer<typeof HistoryPage>;
