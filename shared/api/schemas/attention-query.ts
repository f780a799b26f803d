import * as z from 'zod';
import { attentionReasons } from '../../domain/review/attention.ts';
import { oneOf } from './one-of.ts';
import { Limit, Search } from './query.ts';
import { EcosystemFilter } from './version-query.ts';

const maxPlaceBytes = 1000;

export const AttentionQuery = z.strictObject({
  reason: oneOf(attentionReasons)
    .optional()
    .describe('Only versions that need attention for this reason.'),
  ecosystem: EcosystemFilter.optional(),
  search: Search.optional().describe('Only versions with this text in their name.'),
  after: z
    .string()
    .refine((text) => /^[-\d]\d{4}-/.test(text) && Buffer.byteLength(text) <= maxPlaceBytes, {
      error: 'must be `next` of the page before',
    })
    .optional()
    .describe('Continues a list: `next` of the previous page.'),
  limit: Limit,
});
export type AttentionQuery = z.infer<typeof AttentionQuery>;
