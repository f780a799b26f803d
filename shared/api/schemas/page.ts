import * as z from 'zod';

/** Which part of a list an answer holds. */
export const pageNumbers = {
  total: z.int().nonnegative().describe('How many there are in all.'),
  limit: z.int().positive().describe('As it was applied.'),
  offset: z.int().nonnegative().describe('As it was applied.'),
};
