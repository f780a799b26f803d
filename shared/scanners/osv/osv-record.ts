import * as z from 'zod';

/**
 * Used fields of an OSV record (ossf.github.io/osv-schema). Only the id is required: records differ between databases,
 * and an incomplete record is still a finding.
 */

const Event = z.object({
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
});

const Range = z.object({ type: z.string(), events: z.array(Event).nullish() });

/** Rating: a CVSS vector, or a word for other types. OSV-Scanner 2 omits unknown types. */
const OsvRating = z.object({ type: z.string().nullish(), score: z.string() });
export type OsvRating = z.infer<typeof OsvRating>;

const Affected = z.object({
  package: z.object({ ecosystem: z.string(), name: z.string() }).nullish(),
  ranges: z.array(Range).nullish(),
  versions: z.array(z.string()).nullish(),
  severity: z.array(OsvRating).nullish(),
});
export type Affected = z.infer<typeof Affected>;

export const OsvRecord = z.object({
  id: z.string().regex(/\S/, { error: 'must not be blank' }),
  aliases: z.array(z.string()).nullish(),
  summary: z.string().nullish(),
  details: z.string().nullish(),
  published: z.string().nullish(),
  modified: z.string().nullish(),
  withdrawn: z.string().nullish(),
  severity: z.array(OsvRating).nullish(),
  affected: z.array(Affected).nullish(),
  references: z.array(z.object({ url: z.string() })).nullish(),
  database_specific: z.looseObject({}).nullish(),
});
export type OsvRecord = z.infer<typeof OsvRecord>;
