import * as z from 'zod';
import { objectionCodes } from '../../domain/review/approval.ts';
import { Ecosystem } from './ecosystem.ts';
import { Facts } from './facts.ts';
import { LicenseEvidence } from './license-evidence.ts';
import { PackageAnswer, Timestamp, TokenLabel } from './package.ts';
import { ScanResult } from './scan.ts';

const Text = z.string().nullable();

export const Objection = z
  .strictObject({
    code: z.enum(objectionCodes),
    message: z.string(),
    blocks: z.boolean().describe('Whether an approval needs an override because of it.'),
  })
  .describe('Something that speaks against approving it.');

/** Opaque text that identifies a state of the evidence. */
export const EvidenceVersion = z
  .string()
  .describe(
    'Names this state of the evidence. Changes with the findings of scans, accepted vulnerabilities, upstream metadata, the license and the issues; a scan that finds the same again does not change it. An approval sends it as `expected_evidence_version`.',
  );

/** Maximum number of files that the evidence of a version shows. */
export const maxFiles = 50;

const PinnedFile = z
  .strictObject({
    file: z
      .string()
      .describe('Its name; of an image the platform, and `index` for the whole image.'),
    digest: Text.describe(
      'As its ecosystem writes it: `sha512-BASE64` on npm, else `sha256:HEX` or another algorithm. Null where upstream has none.',
    ),
  })
  .describe('One file of the version.');

const PinnedFiles = z
  .strictObject({
    pinned: z
      .boolean()
      .describe(
        'Whether an approval pinned these files, so that package managers get no others; false for those that an approval would pin.',
      ),
    total: z.int().min(0).describe('How many files the version has.'),
    files: z.array(PinnedFile).max(maxFiles).describe(`The first ${maxFiles} of them.`),
  })
  .describe('The files of the version, with the digests that an approval pins.');

const EarlierDecision = z
  .strictObject({
    version: z.string(),
    ecosystem: Ecosystem,
    status: z.enum(['approved', 'rejected']),
    at: Timestamp,
    by: Text,
    token_label: TokenLabel.describe('The label of the token that made it; null without one.'),
    reason: Text,
  })
  .describe('A decision on another version of the package.');

/** Evidence of a decision on a version. */
export const VersionEvidence = z
  .strictObject({
    package: PackageAnswer,
    justification: Text.describe('Why it is wanted, as the submission says.'),
    facts: Facts.extend({ asked_at: Timestamp.describe('When its origin was asked last.') })
      .nullable()
      .describe('Null where its origin was not asked yet.'),
    files: PinnedFiles.nullable().describe(
      'Null where upstream has not listed the files of the version.',
    ),
    license: LicenseEvidence,
    scan: ScanResult.nullable().describe(
      'What all tools found that scanned it; null where it was never scanned.',
    ),
    earlier: z.array(EarlierDecision).describe('Newest first, ten at most.'),
    held_by: Text.describe(
      'The rule of the policy that leaves it to a person; null where none does.',
    ),
    objections: z.array(Objection),
    evidence_version: EvidenceVersion,
  })
  .describe('All that a decision on a version stands on.');
export type VersionEvidence = z.infer<typeof VersionEvidence>;
