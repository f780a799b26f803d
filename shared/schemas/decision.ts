import * as z from 'zod';
import { Status } from './package.ts';
import { Identity, optional, text } from './text.ts';

const maxReasonLength = 2000;

const reason = optional(
  text(maxReasonLength).refine((value) => value.trim() !== '', {
    error: 'must not be blank; leave it out instead',
  }),
);

/** Where the version must stand for the decision to be made: what somebody else decided meanwhile is then not reversed. */
const expected_status = optional(Status);

/** The optional body of an approval. `override` approves whatever stands in the way, and needs a reason. */
export const Approval = z
  .strictObject({
    approved_by: optional(Identity),
    reason,
    expected_status,
    override: optional(z.boolean({ error: 'must be true or false' })),
  })
  .refine((approval) => !approval.override || Boolean(approval.reason), {
    path: ['reason'],
    error: 'is required where override is true: it is kept with the decision',
  });
export type Approval = z.infer<typeof Approval>;

/** The optional body of a rejection. */
export const Rejection = z.strictObject({
  rejected_by: optional(Identity),
  reason,
  expected_status,
});
export type Rejection = z.infer<typeof Rejection>;
