import * as z from 'zod';

/** Position of a page in its list, and the length of the list. */
export const pageNumbers = {
  total: z.int().nonnegative().describe('Number of all matches.'),
  limit: z.int().positive().describe('The applied value.'),
  offset: z.int().nonnegative().describe('The applied value.'),
};
