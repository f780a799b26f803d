import * as z from 'zod';
import { attentionReasons } from '../../domain/review/attention.ts';
import { Ecosystem } from './ecosystem.ts';
import { Timestamp } from './package.ts';
import { SeverityCounts } from './scan.ts';

/** Version that needs attention. */
export const Attention = z
  .strictObject({
    ecosystem: Ecosystem,
    name: z.string(),
    version: z.string(),
    since: Timestamp.describe('When the problem began.'),
    reasons: z
      .array(z.enum(attentionReasons))
      .describe(
        'Why the version needs attention: a recall (`recalled`), failed scans (`scan_failed`), or a change upstream since the approval. Upstream changes are other file contents (`content_changed`), a removal (`removed`), a yank (`yanked`) or a deprecation (`deprecated`).',
      ),
    recall: z
      .string()
      .nullable()
      .describe(
        'The record of malware that recalled the version, or `removed`. Null for approved versions.',
      ),
    severity: SeverityCounts,
  })
  .describe(
    'A recalled version without a decision by a person, or an approved version with a new problem.',
  );

export const AttentionPage = z
  .strictObject({
    attention: z.array(Attention),
    looked_at: z
      .int()
      .describe('Number of versions with attention that this request looked at, up to `next`.'),
    complete: z
      .boolean()
      .describe('True if the request reached the end of the list. Otherwise `next` continues.'),
    next: z.string().nullable().describe('Cursor: send it as `after` to get the next page.'),
  })
  .describe('Recalled versions, then approved versions with new problems, the most severe first.');
export type AttentionPage = z.infer<typeof AttentionPage>;
