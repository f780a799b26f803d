import * as z from 'zod';
import { Limit, wholeNumber } from './query.ts';

const placeRule = 'must be `next` of the page before';

export const PolicyPreviewQuery = z.strictObject({
  after: z
    .string()
    .regex(wholeNumber, { error: placeRule })
    .transform(Number)
    .pipe(z.int({ error: placeRule }))
    .default(0)
    .describe('Continues a list: `next` of the previous page.'),
  limit: Limit,
});
export type PolicyPreviewQuery = z.infer<typeof PolicyPreviewQuery>;
