import * as z from 'zod';
import { comparisonCodes } from '../../domain/changes/change-issues.ts';
import {
  type Facts as DomainFacts,
  foundAnswers,
  licenseDeclarations,
} from '../../domain/facts/facts.ts';
import {
  type Provenance as DomainProvenance,
  provenanceStatuses,
  signatureStatuses,
} from '../../domain/facts/provenance.ts';
import type { FactsSummary as DomainSummary } from '../../domain/facts/summary.ts';
import { Timestamp } from './package.ts';

const Text = z.string().nullable();

/** Upstream metadata of a version. */
export const Facts = z
  .strictObject({
    found: z
      .enum(foundAnswers)
      .describe('Whether the version exists upstream. `unknown` if the origin gave no answer.'),
    reason: Text.describe('Why the version was not found, or why the origin gave no answer.'),
    name_found: z.boolean().nullable().describe('Whether a package of this name exists upstream.'),
    published_at: Timestamp.nullable(),
    licenses_declared: z
      .array(z.string())
      .readonly()
      .describe('The declared licenses, as upstream writes them.'),
    license: Text.describe('The normalized license: an SPDX expression.'),
    license_declaration: z
      .enum(licenseDeclarations)
      .describe(
        'Whether the package declares a license. `unreadable` if the text identifies no license, `unknown` if the origin does not show it.',
      ),
    license_statement: Text.describe(
      'All declared licenses as one statement. Null if it is unreadable.',
    ),
    description: Text,
    homepage: Text,
    repository: Text,
    deprecated: Text.describe('The deprecation message. Null if the version is not deprecated.'),
    yanked: Text.describe('Why the version was yanked or unpublished. Null if it was not.'),
    install_scripts: z
      .array(z.string())
      .readonly()
      .nullable()
      .describe('Scripts that run on installation. Null if unknown.'),
    provenance: z.boolean().nullable().describe('True if the origin has a provenance attestation.'),
    newest_version: Text.describe('The newest version of the package upstream.'),
  })
  .describe(
    'Upstream metadata of a version. Unknown values are null.',
  ) satisfies z.ZodType<DomainFacts>;

/** Provenance of a version, as the attestations and the signatures upstream show it. */
export const Provenance = z
  .strictObject({
    status: z
      .enum(provenanceStatuses)
      .describe(
        '`verified`: an attestation of the files was verified. `present`: upstream has one, which could not be checked yet. `invalid`: a check failed. `none`: upstream has none.',
      ),
    source_repository: Text.describe(
      'The URL of the source repository. This and the next fields are from the certificate of a verified attestation.',
    ),
    commit: Text.describe('The source commit.'),
    workflow: Text.describe('The URL of the workflow, with its branch or tag.'),
    builder: Text.describe('The URL of the builder. For a person or a service account, its name.'),
    issuer: Text.describe("The URL of the builder's identity provider."),
    reason: Text.describe('Why the status is `present` or `invalid`, or what was not checked.'),
    signatures: z
      .enum(signatureStatuses)
      .nullable()
      .describe('Result for the registry signatures upstream (npm). Null if unknown.'),
  })
  .describe(
    'Provenance of the files. It shows where they were built, not that they are harmless.',
  ) satisfies z.ZodType<DomainProvenance>;

/** Summary of the upstream metadata of a version. */
export const FactsSummary = z
  .strictObject({
    digest: z.string().describe('Identifies the metadata: equal metadata has an equal digest.'),
    ...Facts.pick({
      found: true,
      name_found: true,
      published_at: true,
      license: true,
      license_declaration: true,
      license_statement: true,
      deprecated: true,
      yanked: true,
      newest_version: true,
    }).shape,
    install_scripts: z.boolean().nullable(),
    comparison: z
      .strictObject({
        since: Text.describe('The earlier version. Null if there is none.'),
        issues: z
          .array(z.strictObject({ code: z.enum(comparisonCodes), message: z.string() }))
          .readonly(),
        unknown: z
          .array(z.enum(comparisonCodes))
          .readonly()
          .describe(
            'Issues that could not be checked, since a value is unknown. Rules do not take them for absent.',
          ),
      })
      .optional()
      .describe('Issues found by comparisons with an earlier version and with other names.'),
    provenance: Provenance.extend({
      files: z.string().describe('Identifies the checked files.'),
    })
      .optional()
      .describe('Result of the last check of the provenance.'),
    checked_at: Timestamp.describe('When the upstream metadata was checked.'),
  })
  .describe('Summary of the upstream metadata.') satisfies z.ZodType<DomainSummary>;
