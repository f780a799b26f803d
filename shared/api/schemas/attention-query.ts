import * as z from 'zod';
import { Limit } from './query.ts';

const maxPlaceBytes = 1000;

export const AttentionQuery = z.strictObject({
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
