import * as z from 'zod';
import { Limit, wholeNumber } from './query.ts';
import { Status } from './status.ts';

const placeRule = 'must be `next` of the page before';

export const PolicyPreviewQuery = z.strictObject({
  status: Status.default('pending').describe(
    'The status of the versions. `approved` and `rejected` list versions that people decided, to compare the rules with their decisions.',
  ),
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
