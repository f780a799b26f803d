import * as z from 'zod';
import { wholeNumber } from './query.ts';

const maxDays = 366;
const daysRule = `must be a whole number from 1 to ${maxDays}`;

export const StatisticsQuery = z.strictObject({
  days: z
    .string()
    .regex(wholeNumber, { error: daysRule })
    .transform(Number)
    .pipe(z.int().min(1, { error: daysRule }).max(maxDays, { error: daysRule }))
    .default(90)
    .describe('Number of days, up to today.'),
});
export type StatisticsQuery = z.infer<typeof StatisticsQuery>;
