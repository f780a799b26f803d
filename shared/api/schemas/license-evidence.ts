import * as z from 'zod';
import { licenseDeclarations } from '../../domain/facts/facts.ts';
import {
  type LicenseEvidence as DomainEvidence,
  licenseSources,
} from '../../domain/licenses/effective-license.ts';
import { statedStatuses } from '../../domain/licenses/license-status.ts';

const Normalized = z
  .string()
  .nullable()
  .describe('The normalized license: an SPDX expression, or null if there is none.');

const Status = z
  .enum(statedStatuses)
  .describe('The license status. `unreadable` means that the text identifies no license.');

const StatedLicense = z
  .strictObject({
    text: z.string().describe('The original text.'),
    normalized: Normalized,
    status: Status,
  })
  .describe('A license as stated in a submission or by a package.');

const EffectiveLicense = z
  .strictObject({
    source: z.enum(licenseSources).describe('The source of the effective license.'),
    text: z
      .string()
      .nullable()
      .describe(
        'The text of the effective license. Null if the package declares an unreadable one.',
      ),
    normalized: Normalized,
    status: Status,
  })
  .describe('The effective license, which counts for issues, rules and `requireApprovedLicense`.');

/** Submitted, upstream and effective license of a version. */
export const LicenseEvidence = z
  .strictObject({
    submitted: StatedLicense.nullable().describe(
      'The submitted license. Null if the submission has none.',
    ),
    upstream_declaration: z
      .enum(licenseDeclarations)
      .describe(
        'Whether the package declares a license. `unknown` means that there is no upstream metadata about it.',
      ),
    upstream: StatedLicense.nullable().describe(
      'The license that the package declares. Null if it is absent or unreadable.',
    ),
    effective: EffectiveLicense.nullable().describe(
      'The upstream license. The submitted one counts instead if the package declares none, or if the submitted one has a worse status.',
    ),
  })
  .describe(
    'The submitted license, the upstream license, and the effective one of the two.',
  ) satisfies z.ZodType<DomainEvidence>;
