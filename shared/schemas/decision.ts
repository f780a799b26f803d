import * as z from 'zod';
import { implies } from './json-schema.ts';
import { Status } from './package.ts';
import { Identity, lines, optional } from './text.ts';

const maxReasonLength = 2000;

const reason = optional(lines(maxReasonLength)).describe(
  'Kept with the decision. Needed to reverse one, and to override what stands in the way.',
);

const expected_status = optional(Status).describe(
  'Where the version must stand for the decision to be made: what somebody else decided meanwhile is then not reversed.',
);

const decider = optional(Identity).describe('Who decides, if not the owner of the token.');

/** The optional body of an approval. */
export const Approval = z
  .strictObject({
    approved_by: decider,
    reason,
    expected_status,
    override: optional(z.boolean({ error: 'must be true or false' })).describe(
      'Approves whatever stands in the way; needs a reason.',
    ),
  })
  .refine((approval) => !approval.override || Boolean(approval.reason), {
    path: ['reason'],
    error: 'is required where override is true: it is kept with the decision',
  })
  .meta({
    description: 'An approval. Everything in it may be left out.',
    allOf: [
      implies(
        { properties: { override: { const: true } }, required: ['override'] },
        { properties: { reason: { type: 'string' } }, required: ['reason'] },
      ),
    ],
  });
export type Approval = z.infer<typeof Approval>;

/** The optional body of a rejection. */
export const Rejection = z
  .strictObject({ rejected_by: decider, reason, expected_status })
  .describe('A rejection. Everything in it may be left out.');
export type Rejection = z.infer<typeof Rejection>;
