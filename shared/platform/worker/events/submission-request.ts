import * as z from 'zod';
import { Ecosystem } from '../../../api/schemas/ecosystem.ts';
import { mostFixes, submissionCauses } from '../../../domain/review/automatic-submission.ts';

const Id = z.object({ ecosystem: Ecosystem, name: z.string().min(1), version: z.string().min(1) });

/** JSON message of the queue of submissions: a version that the registry shall submit itself. */
export const SubmissionRequest = z.object({
  ecosystem: Ecosystem,
  name: z.string().min(1),
  /** Exact version; null for the newest one that is old enough for the rules, and in range. */
  version: z.string().min(1).nullable(),
  /** Range of a dependency, in the notation of its ecosystem; null for any version. */
  range: z.string().nullable(),
  cause: z.enum(submissionCauses),
  of: Id.nullable(),
  fixes: z.array(z.string()).max(mostFixes),
  /** Version whose submission led to that of a dependency, such as `npm:react@19.1.0`; null for others. */
  root: z.string().nullable(),
  /** Token that asks for it; null if the registry follows an approved version. */
  by: z.object({ label: z.string().nullable(), fingerprint: z.string().nullable() }).nullable(),
});
export type SubmissionRequest = z.infer<typeof SubmissionRequest>;
