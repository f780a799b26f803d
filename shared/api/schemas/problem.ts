import * as z from 'zod';
import { problems } from '../../domain/errors.ts';
import { PackageListItem } from './package.ts';

const Code = z
  .union([z.enum(Object.keys(problems)), z.string()])
  .describe('Stable code for programs. Later releases may add codes.');

export const Problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What happened and what to do next, for people.'),
    code: Code,
    request_id: z.string().describe("Identifies the request in the registry's log."),
    errors: z
      .array(
        z.strictObject({
          path: z.string().describe('The field, parameter or header with the error.'),
          message: z.string().describe('The rule that the value must follow.'),
        }),
      )
      .optional()
      .describe('For a 400: all errors of the request.'),
    candidates: z
      .array(PackageListItem)
      .optional()
      .describe('For `ambiguous_version`: the possible versions.'),
    reasons: z
      .array(z.strictObject({ code: z.string(), message: z.string() }))
      .optional()
      .describe(
        'For `approval_blocked`: the blocking issues that neither `override` nor `accept_recall` lifts.',
      ),
    did_you_mean: z
      .array(z.string())
      .optional()
      .describe('For `license_not_found`: similar licenses, if there are any.'),
  })
  .describe('An error (RFC 9457): `code` for programs, `detail` for people.');
export type Problem = z.infer<typeof Problem>;
