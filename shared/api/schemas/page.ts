import * as z from 'zod';

/** Position of a page in its list, and the length of the list. */
export const pageNumbers = {
  total: z.int().nonnegative().describe('How many there are in all.'),
  limit: z.int().positive().describe('As it was applied.'),
  offset: z.int().nonnegative().describe('As it was applied.'),
};
