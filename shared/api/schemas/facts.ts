import * as z from 'zod';
import {
  type Facts as DomainFacts,
  foundAnswers,
  licenseDeclarations,
} from '../../domain/facts/facts.ts';
import type { FactsSummary as DomainSummary } from '../../domain/facts/summary.ts';
import { Timestamp } from './package.ts';

const Text = z.string().nullable();

/** Upstream metadata of a version. */
export const Facts = z
  .strictObject({
    found: z
      .enum(foundAnswers)
      .describe('Whether its origin has it; `unknown` where that could not be asked.'),
    reason: Text.describe('Why it was not found, or could not be asked for.'),
    name_found: z
      .boolean()
      .nullable()
      .describe('Whether its origin knows the name, whatever it says of the version.'),
    published_at: Timestamp.nullable(),
    licenses_declared: z.array(z.string()).readonly().describe('As they stand there.'),
    license: Text.describe('What these read as, an SPDX expression.'),
    license_declaration: z
      .enum(licenseDeclarations)
      .describe(
        'Whether the package declares a license: `unreadable` where nobody can tell which one, `unknown` where its origin does not show it.',
      ),
    license_statement: Text.describe(
      'All declared licenses as one statement; null unless it is readable.',
    ),
    description: Text,
    homepage: Text,
    repository: Text,
    deprecated: Text.describe('Why its publisher advises against it; null where nobody does.'),
    yanked: Text.describe('Why its publisher has taken it back; null where nobody did.'),
    install_scripts: z
      .array(z.string())
      .readonly()
      .nullable()
      .describe('What runs by itself where it is installed; null where that is not known.'),
    provenance: z
      .boolean()
      .nullable()
      .describe('Whether its origin has an attestation of how it was built.'),
    newest_version: Text.describe('The newest version that its origin has of the package.'),
  })
  .describe(
    'What the origin of a version says of it. Whatever is null is not said there.',
  ) satisfies z.ZodType<DomainFacts>;

/** Summary of the upstream metadata of a version. */
export const FactsSummary = z
  .strictObject({
    digest: z.string().describe('Names the facts: the same for the same ones.'),
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
    asked_at: Timestamp.describe('When its origin was asked.'),
  })
  .describe('The short of what its origin said.') satisfies z.ZodType<DomainSummary>;
