import * as z from 'zod';
import { type ImageSbom as DomainSbom, sbomFormats } from '../../domain/facts/release-details.ts';
import { issueCodes, warningCodes } from '../../domain/review/approval.ts';
import { maxBatches } from '../../domain/review/batches.ts';
import { AutomaticSubmission } from './automatic-submission.ts';
import { VersionChanges } from './changes.ts';
import { Claim } from './claim.ts';
import { Ecosystem } from './ecosystem.ts';
import { Facts, Provenance } from './facts.ts';
import { LicenseEvidence } from './license-evidence.ts';
import { PackageAnswer, Timestamp, TokenLabel } from './package.ts';
import { ScanResult } from './scan.ts';

const Text = z.string().nullable();

export const Issue = z
  .strictObject({
    code: z.enum(issueCodes),
    message: z.string(),
    blocks: z
      .boolean()
      .describe(
        'True if an approval needs an override of this issue or, for `malware`, `accept_recall`.',
      ),
  })
  .describe('An issue of the version.');

/** Issue in the evidence of one version, which also has warnings about other packages. */
const EvidenceIssue = Issue.extend({
  code: z.enum([...issueCodes, ...warningCodes]),
}).describe('An issue of the version. `dependency_unmet` never blocks an approval.');

/** Opaque text that identifies a state of the evidence. */
export const EvidenceVersion = z
  .string()
  .describe(
    'Identifies this state of the evidence. It changes with findings, accepted vulnerabilities, upstream metadata, the license and the issues, but not with a scan of the same findings. Send it as `expected_evidence_version` of an approval.',
  );

/** Maximum number of files that the evidence of a version shows. */
export const maxFiles = 50;

const PinnedFile = z
  .strictObject({
    file: z
      .string()
      .describe('The file name. For an image, the platform, or `index` for the whole image.'),
    digest: Text.describe(
      'The digest: `sha512-BASE64` on npm, else `ALGORITHM:HEX`, such as `sha256:HEX`. Null if upstream has none.',
    ),
    url: Text.describe(
      'The address from which clients of the gate download the file. Null for images, and for an address that `gateOrigins` does not allow.',
    ),
  })
  .describe('One file of the version.');

const ImageSbom = z
  .strictObject({
    format: z.enum(sbomFormats).describe('The format of the SBOM, as JSON.'),
    digest: z.string().describe('The digest of the SBOM: `sha256:HEX`.'),
    size: z.int().min(0).nullable().describe('The size in bytes. Null if unknown.'),
  })
  .describe(
    'An SBOM that is attached to the image in its registry.',
  ) satisfies z.ZodType<DomainSbom>;

const PinnedFiles = z
  .strictObject({
    pinned: z
      .boolean()
      .describe(
        'True if an approval pinned these files, so that the gate serves no others. False for the files that an approval would pin.',
      ),
    total: z.int().min(0).describe('Number of files of the version.'),
    files: z.array(PinnedFile).max(maxFiles).describe(`The first ${maxFiles} files.`),
    sboms: z
      .array(ImageSbom)
      .max(5)
      .readonly()
      .optional()
      .describe('SBOMs that are attached to the image in its registry. Absent if unknown.'),
  })
  .describe('The files of the version, with the digests that an approval pins.');

const EarlierDecision = z
  .strictObject({
    version: z.string(),
    ecosystem: Ecosystem,
    status: z.enum(['approved', 'rejected']),
    at: Timestamp,
    by: Text,
    token_label: TokenLabel.describe(
      'The label of the token of the decision. Null without a label.',
    ),
    reason: Text,
  })
  .describe('A decision on another version of the package.');

const RecallInForce = z
  .strictObject({
    record: z
      .string()
      .describe(
        'The record of malware, or `removed` for a removal upstream. An approval needs it as `accept_recall`.',
      ),
    others: z.array(z.string()).describe('Further records that name the version.'),
    recalled_at: Timestamp,
    approved_at: Timestamp.nullable().describe(
      'Start of the recalled approval. Null if it is unknown.',
    ),
  })
  .describe('The recall of the version by the registry.');

/** Evidence of a decision on a version. */
export const VersionEvidence = z
  .strictObject({
    package: PackageAnswer,
    purl: z.string().describe('The package URL of the version, such as `pkg:npm/lodash@4.17.21`.'),
    changes: VersionChanges.nullable().describe(
      'What changed since an earlier version, when the upstream metadata was last collected before the decision. Null if it was not compared.',
    ),
    justification: Text.describe("The submitter's justification."),
    automatic: AutomaticSubmission.nullable().describe(
      'Why the registry submitted the version itself. Null if a request submitted it.',
    ),
    batches: z
      .array(z.string())
      .describe(`Names of the batches that request the version, at most ${maxBatches}.`),
    claim: Claim.nullable().describe('Who looks at the version now. Null if nobody does.'),
    facts: Facts.extend({
      provenance: Provenance.nullable().describe(
        'Provenance of the files, as last checked. Null if upstream does not show whether it has attestations.',
      ),
      checked_at: Timestamp.describe('When the upstream metadata was last checked.'),
    })
      .nullable()
      .describe('Upstream metadata. Null if it was not collected yet.'),
    files: PinnedFiles.nullable().describe('Files of the version. Null if their list is unknown.'),
    license: LicenseEvidence,
    scan: ScanResult.nullable().describe('The merged scan. Null if the version has no scan.'),
    earlier: z
      .array(EarlierDecision)
      .describe('Decisions on other versions of the package, newest first, at most ten.'),
    waits_for: z
      .array(z.enum(['facts', 'scan', 'freeze']))
      .describe(
        'Automatic checks of a pending version that have not finished: upstream metadata (`facts`) and the scan. Rules wait for them. `freeze` means that a rule approves the version when the freeze is lifted. Empty after a decision, also an expired one.',
      ),
    held_by: Text.describe('The policy rule that requires manual review. Null if there is none.'),
    next_evaluation: z
      .strictObject({
        at: Timestamp.describe('When the version reaches the minimum age of the rule.'),
        rule: z.string().describe('The name of the rule.'),
      })
      .nullable()
      .describe(
        'The next evaluation by a rule that only requires a higher age. Null if none does.',
      ),
    frozen_rule: Text.describe(
      'The policy rule that would approve the version, but for the freeze in force. Null if there is none.',
    ),
    recall: RecallInForce.nullable().describe('Null if no recall is in force.'),
    issues: z.array(EvidenceIssue),
    evidence_version: EvidenceVersion,
  })
  .describe('Evidence for a decision on a version.');
export type VersionEvidence = z.infer<typeof VersionEvidence>;
