import * as z from 'zod';
import { mostFixes, submissionCauses } from '../../domain/review/automatic-submission.ts';
import { Ecosystem } from './ecosystem.ts';

const PackageVersion = z
  .strictObject({ ecosystem: Ecosystem, name: z.string(), version: z.string() })
  .describe('A package version.');

/** Why the registry submitted a version itself, as in responses. */
export const AutomaticSubmission = z
  .strictObject({
    cause: z
      .enum(submissionCauses)
      .describe(
        'Why: an `update` of an approved version, a `security_fix` for one, a `dependency` of another submission by the registry, or an `install` that asked for it.',
      ),
    of: PackageVersion.nullable().describe(
      'The approved version that an update or a security fix follows, or the version with the dependency. Null for an install.',
    ),
    fixes: z
      .array(z.string())
      .max(mostFixes)
      .describe(
        `IDs of vulnerabilities of the approved version that a security fix ends, at most ${mostFixes}.`,
      ),
  })
  .describe('A submission by the registry itself.');
export type AutomaticSubmission = z.infer<typeof AutomaticSubmission>;
