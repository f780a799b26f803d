/** What several schemas have in common. */
import * as z from 'zod';

/** A list, where AWS also takes a single element by itself. */
export const oneOrMore = <S extends z.ZodType>(schema: S) =>
  z.union([z.array(schema), schema.transform((one) => [one])]);

/** The first thing that is wrong, as `path.to.it: what`. */
export const describeIssue = ({ issues: [issue] }: z.ZodError): string =>
  `${issue?.path.join('.')}: ${issue?.message}`;
