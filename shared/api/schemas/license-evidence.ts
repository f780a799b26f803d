import * as z from 'zod';
import { licenseDeclarations } from '../../domain/facts/facts.ts';
import {
  type LicenseEvidence as DomainEvidence,
  licenseSources,
} from '../../domain/licenses/effective-license.ts';
import { statedStatuses } from '../../domain/licenses/status.ts';

const Normalized = z
  .string()
  .nullable()
  .describe('The SPDX expression that it means; null where there is none.');

const Status = z
  .enum(statedStatuses)
  .describe(
    'What the organisation thinks of it; `unreadable` where nobody can tell which license it is.',
  );

const StatedLicense = z
  .strictObject({
    text: z.string().describe('As it was written.'),
    normalized: Normalized,
    status: Status,
  })
  .describe('A license as a submission or a package states it.');

const EffectiveLicense = z
  .strictObject({
    source: z.enum(licenseSources).describe('Who states the license that counts.'),
    text: z.string().nullable().describe('Null where the package declares an unreadable one.'),
    normalized: Normalized,
    status: Status,
  })
  .describe('The license that counts for issues, for rules and for `requireApprovedLicense`.');

/** Submitted, upstream and effective license of a version. */
export const LicenseEvidence = z
  .strictObject({
    submitted: StatedLicense.nullable().describe('Null where the submission names none.'),
    upstream_declaration: z
      .enum(licenseDeclarations)
      .describe(
        'Whether the package itself declares a license: `unknown` where its origin was not asked, or does not show that.',
      ),
    upstream: StatedLicense.nullable().describe(
      'What the package itself declares; null where that is nothing readable.',
    ),
    effective: EffectiveLicense.nullable().describe(
      'The upstream license; the submitted one where the package declares none, or where the organisation thinks worse of it.',
    ),
  })
  .describe(
    'The submitted license, the upstream license, and which of them counts.',
  ) satisfies z.ZodType<DomainEvidence>;
