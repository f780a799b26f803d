import * as z from 'zod';
import { maxApprovalDays } from '../domain/choose-expiry.ts';
import { implies, type JsonSchema } from './json-schema.ts';
import { Status } from './status.ts';
import { Identity, lines, optional } from './text.ts';
import { Time } from './time.ts';

const maxReasonLength = 2000;

const reason = optional(lines(maxReasonLength)).describe(
  'Kept with the decision. Needed to reverse one, and to override what stands in the way.',
);

const expected_status = optional(Status).describe(
  'Where the version must stand for the decision to be made: what somebody else decided meanwhile is then not reversed.',
);

const expires_at = optional(Time).describe(
  'When the approval runs out: in the future, and within 5 years.',
);

const daysRule = `must be a whole number from 1 to ${maxApprovalDays}`;
const expires_in_days = optional(
  z.int({ error: daysRule }).min(1, { error: daysRule }).max(maxApprovalDays, { error: daysRule }),
).describe('The same, as days from now.');

const decider = optional(
  Identity.refine((name) => !/^policy:/i.test(name), {
    error: 'must not begin with policy:, by which the rules of the policy decide',
  }),
).describe('Who decides, if not the owner of the token. Does not begin with `policy:`.');

/** What the fields of an approval have to do with each other, in JSON Schema: the same as its refinements say. */
export const approvalRules: JsonSchema[] = [
  implies(
    { properties: { override: { const: true } }, required: ['override'] },
    { properties: { reason: { type: 'string' } }, required: ['reason'] },
  ),
  implies(
    { properties: { expires_at: { type: 'string' } }, required: ['expires_at'] },
    { properties: { expires_in_days: { type: 'null' } } },
  ),
];

/** The optional body of an approval. */
export const Approval = z
  .strictObject({
    approved_by: decider,
    reason,
    expected_status,
    override: optional(z.boolean({ error: 'must be true or false' })).describe(
      'Approves whatever stands in the way; needs a reason.',
    ),
    expires_at,
    expires_in_days,
  })
  .refine((approval) => !approval.expires_at || !approval.expires_in_days, {
    path: ['expires_in_days'],
    error: 'must not come together with expires_at: send one of the two',
  })
  .refine((approval) => !approval.override || Boolean(approval.reason), {
    path: ['reason'],
    error: 'is required where override is true: it is kept with the decision',
  })
  .meta({
    description: 'An approval. Everything in it may be left out.',
    allOf: approvalRules,
  });
export type Approval = z.infer<typeof Approval>;

/** The optional body of a rejection. */
export const Rejection = z
  .strictObject({ rejected_by: decider, reason, expected_status })
  .describe('A rejection. Everything in it may be left out.');
export type Rejection = z.infer<typeof Rejection>;
