import * as z from 'zod';
import { attentionReasons } from '../../domain/review/attention.ts';
import { Ecosystem } from './ecosystem.ts';
import { Timestamp } from './package.ts';
import { SeverityCounts } from './scan.ts';

/** Approved version that needs attention. */
export const Attention = z
  .strictObject({
    ecosystem: Ecosystem,
    name: z.string(),
    version: z.string(),
    since: Timestamp.describe('When the problem began.'),
    reasons: z
      .array(z.enum(attentionReasons))
      .describe(
        'Why the version needs attention: failed scans (`scan_failed`), or a change upstream since the approval. Upstream changes are other file contents (`content_changed`), a removal (`removed`), a yank (`yanked`) or a deprecation (`deprecated`).',
      ),
    severity: SeverityCounts,
  })
  .describe('An approved version with a new problem.');

export const AttentionPage = z
  .strictObject({
    attention: z.array(Attention),
    next: z.string().nullable().describe('Cursor: send it as `after` to get the next page.'),
  })
  .describe('Approved versions with new problems, the most severe first.');
export type AttentionPage = z.infer<typeof AttentionPage>;
