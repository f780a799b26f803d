import * as z from 'zod';

const defaultLimit = 100;
export const maxLimit = 1000;
const maxSearchLength = 100;

/** Format of a whole number in a query. */
export const wholeNumber = /^[0-9]+$/;

export const digits = (message: string) => z.string().regex(wholeNumber, { error: message });
const clamped = (max: number) => (text: string) => Math.min(Number(text), max);

const limitRule = `must be a whole number from 1 to ${maxLimit}`;
export const Limit = digits(limitRule)
  .transform(clamped(maxLimit))
  .pipe(z.int().min(1, { error: limitRule }).max(maxLimit))
  .default(defaultLimit)
  .describe(
    'Maximum number of results. A higher value than the maximum is reduced to the maximum.',
  );
const Offset = digits('must be a whole number, 0 or more')
  .transform(clamped(Number.MAX_SAFE_INTEGER))
  .pipe(z.int().min(0))
  .default(0)
  .describe('Number of results to skip.');

export const flagWords = ['true', 'false'] as const;

/** Query parameters that select a part of a list. */
export const limitAndOffset = { limit: Limit, offset: Offset };

/** Search term. A blank term filters nothing. */
export const Search = z
  .string()
  .max(maxSearchLength, { error: `must be at most ${maxSearchLength} characters` })
  .describe('Search term, case-insensitive. A blank term matches everything.');
