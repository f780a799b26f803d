import type * as z from 'zod';
import type { Submission } from '../../../../shared/api/schemas/submission.ts';

/** The fields of a submission in a manifest; missing ones are undefined. */
export type ManifestFields = {
  readonly [K in keyof z.input<typeof Submission>]?: string | undefined;
};
