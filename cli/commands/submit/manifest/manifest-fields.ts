import type * as z from 'zod';
import type { Submission } from '../../../../shared/api/schemas/submission.ts';

/** What a manifest says of a submission; fields that it leaves open are undefined. */
export type ManifestFields = {
  readonly [K in keyof z.input<typeof Submission>]?: string | undefined;
};
