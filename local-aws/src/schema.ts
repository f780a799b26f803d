/** Helpers for zod schemas. */
import * as z from 'zod';

/** Returns a schema for a list that AWS also accepts as a single element. */
export const oneOrMore = <S extends z.ZodType>(schema: S) =>
  z.union([z.array(schema), schema.transform((one) => [one])]);

/** Returns the first issue of a zod error as `path.to.value: message`. */
export const describeIssue = ({ issues: [issue] }: z.ZodError): string =>
  `${issue?.path.join('.')}: ${issue?.message}`;
