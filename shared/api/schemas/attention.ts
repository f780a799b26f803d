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
    since: Timestamp.describe('Since when.'),
    reasons: z
      .array(z.enum(attentionReasons))
      .describe(
        'That its scans failed; or that since it was approved its origin has other files under this version (`republished`), or its publisher has taken it back (`yanked`) or advises against it (`deprecated`).',
      ),
    severity: SeverityCounts,
  })
  .describe('An approved version that somebody has to look at.');

export const AttentionPage = z
  .strictObject({
    attention: z.array(Attention),
    next: z.string().nullable().describe('What to send as `after` for the page after this one.'),
  })
  .describe('Approved versions that somebody has to look at, the worst first.');
export type AttentionPage = z.infer<typeof AttentionPage>;
