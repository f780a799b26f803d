import * as z from 'zod';
import { Limit } from './query.ts';

const maxPlaceBytes = 1000;

export const AttentionQuery = z.strictObject({
  after: z
    .string()
    .refine((text) => /^\d\d{4}-/.test(text) && Buffer.byteLength(text) <= maxPlaceBytes, {
      error: 'must be `next` of the page before',
    })
    .optional()
    .describe('Only what comes after: `next` of the page before.'),
  limit: Limit,
});
export type AttentionQuery = z.infer<typeof AttentionQuery>;
