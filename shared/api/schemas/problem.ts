import * as z from 'zod';
import { problems } from '../../domain/errors.ts';
import { PackageListItem } from './package.ts';

const Code = z
  .union([z.enum(Object.keys(problems)), z.string()])
  .describe('Stable: what programs go by. A later release may know more.');

export const Problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What is wrong and what to do, for people.'),
    code: Code,
    request_id: z.string().describe("Finds the request in the registry's log."),
    errors: z
      .array(
        z.strictObject({
          path: z.string().describe('The field, parameter or header.'),
          message: z.string().describe('What it must be.'),
        }),
      )
      .optional()
      .describe('Of a 400: each thing that is wrong with the request.'),
    candidates: z
      .array(PackageListItem)
      .optional()
      .describe('Of `ambiguous_version`: the versions that may be meant.'),
    reasons: z
      .array(z.strictObject({ code: z.string(), message: z.string() }))
      .optional()
      .describe('Of `approval_blocked`: the blocking issues that `override` does not name.'),
    did_you_mean: z
      .array(z.string())
      .optional()
      .describe('Of `license_not_found`: the licenses that may be meant, where there are any.'),
  })
  .describe('An error (RFC 9457): `code` for programs, `detail` for people.');
export type Problem = z.infer<typeof Problem>;
