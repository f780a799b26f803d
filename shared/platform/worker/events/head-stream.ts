import * as z from 'zod';

/** A number in DynamoDB's own JSON. */
const Count = z.object({ N: z.string() });

/** What tells whether anything follows from a change of a head. */
export const HeadImage = z.object({
  evidence: Count,
  revision: Count,
  slots: z.object({ L: z.array(z.unknown()) }),
});

/** What tells whether rules have looked at a version already; `judged` has no number before. */
export const PendingHeadImage = z.object({
  evidence: Count,
  judged: z.object({ N: z.string().optional() }),
});

/** A batch of changes of heads from the reviews' stream, as Lambda's event source mapping sends it. */
export const HeadStream = z.object({
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
export type HeadStream = z.infer<typeof HeadStream>;
