import * as z from 'zod';
import { Ecosystem } from './ecosystem.ts';
import { Timestamp } from './package.ts';
import { Limit } from './query.ts';
import { placeAfterTime } from './time.ts';

/** Page of the list of recalls. */
export const RecallsQuery = z.strictObject({
  before: placeAfterTime('#')
    .optional()
    .describe('Only earlier recalls: a time, or `next` of the previous page.'),
  limit: Limit,
});
export type RecallsQuery = z.output<typeof RecallsQuery>;

/** Recall of an approved version. */
export const Recall = z
  .strictObject({
    ecosystem: Ecosystem,
    name: z.string(),
    version: z.string(),
    record: z
      .string()
      .describe(
        'ID of the record of malware in OSV, such as `MAL-2026-2307`; `removed` if the origin removed the version.',
      ),
    reason: z.string().describe('The reason of the rejection.'),
    recalled_at: Timestamp.describe('When the version was recalled.'),
    approved_at: Timestamp.nullable().describe('When the version had been approved.'),
    ended_at: Timestamp.nullable().describe(
      'When the recall ended: the record was withdrawn, the version is upstream again, or a person decided. Null while it is in force.',
    ),
  })
  .describe(
    'A recall: the registry rejected an approved version because of a record of malware or a removal upstream.',
  );
export type Recall = z.infer<typeof Recall>;

export const RecallPage = z
  .strictObject({
    recalls: z.array(Recall),
    next: z.string().nullable().describe('Cursor: send it as `before` to get the next page.'),
  })
  .describe('Recalls, the newest first.');
export type RecallPage = z.infer<typeof RecallPage>;
