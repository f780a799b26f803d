import * as z from 'zod';

/** A number in DynamoDB's own JSON. */
const Count = z.object({ N: z.string() });

/** What tells whether anything follows from a change of a head. */
export const ReviewStateImage = z.object({
  evidence_revision: Count,
  revision: Count,
  sources: z.object({ L: z.array(z.unknown()) }),
});

/** What tells whether rules have looked at a version already; `judged` has no number before. */
export const PendingReviewStateImage = z.object({
  evidence_revision: Count,
  evaluated_revision: z.object({ N: z.string().optional() }),
});

/** A batch of changes of heads from the reviews' stream, as Lambda's event source mapping sends it. */
export const ReviewStateStream = z.object({
  Records: z.array(
    z.object({
      dynamodb: z.object({
        SequenceNumber: z.string(),
        Keys: z.object({ v: z.object({ S: z.string() }) }),
        OldImage: z.unknown().optional(),
        NewImage: z.unknown().optional(),
      }),
    }),
  ),
});
export type ReviewStateStream = z.infer<typeof ReviewStateStream>;
