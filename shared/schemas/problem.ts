import * as z from 'zod';

/** Every error: a problem document as in RFC 9457, with a stable `code` for programs and `detail` for people. */
export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.string(),
  request_id: z.string(),
  errors: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  /** Licenses that may be meant by one that is not known. */
  did_you_mean: z.array(z.string()).optional(),
});
export type Problem = z.infer<typeof Problem>;

export const problemContentType = 'application/problem+json';

/** The `type` of a problem: a name, not an address; what it means is in `title` and `detail`. */
export const problemType = (code: string): string => `urn:problem-type:package-registry:${code}`;
