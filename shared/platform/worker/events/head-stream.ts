import * as z from 'zod';
import { statuses } from '../../../domain/review/status.ts';

/** A number in DynamoDB's own JSON. */
const Count = z.object({ N: z.string() });

/** Fields of a review state that show whether its change needs work. */
export const ReviewStateImage = z.object({
  evidence_revision: Count,
  revision: Count,
  sources: z.object({ L: z.array(z.unknown()) }),
});

const Text = z.object({ S: z.string() });
const TextOrNull = z.union([Text, z.object({ NULL: z.literal(true) })]);

/** Fields of a review state that decide what its package's pack has of the version. */
export const PackedImage = z.object({
  revision: Count,
  status: z.object({ S: z.enum(statuses) }),
  pinned: TextOrNull,
});
export type PackedImage = z.infer<typeof PackedImage>;

/** Fields of a review state that decide whether a change affects the projects that use its version. */
export const AffectingImage = z.object({
  status: z.object({ S: z.enum(statuses) }),
  at: Text,
  attention: TextOrNull,
});
export type AffectingImage = z.infer<typeof AffectingImage>;

/** Scan sources of a review state, with the digest of the findings of their finished scan. */
export const SourcesImage = z.object({
  sources: z.object({
    L: z.array(
      z.object({
        M: z.object({
          finished: z.object({
            M: z.object({ digest: z.object({ S: z.string() }) }).optional(),
          }),
        }),
      }),
    ),
  }),
});

/** Fields of a review state that show whether its version waits for automatic checks, in DynamoDB's own JSON. */
export const AwaitingImage = z.object({
  facts: z.union([
    z.object({ NULL: z.literal(true) }),
    z.object({ M: z.record(z.string(), z.any()) }),
  ]),
  sources: z.object({ L: z.array(z.any()) }),
});

/** Fields that show whether the policy was evaluated; `evaluated_revision` has no number before the first evaluation. */
export const PendingReviewStateImage = z.object({
  evidence_revision: Count,
  evaluated_revision: z.object({ N: z.string().optional() }),
});

/** Statuses of a version before and after a change. */
const StatusImage = z.object({ status: z.object({ S: z.string() }) });
export const ApprovalChangeImages = z.object({ OldImage: StatusImage, NewImage: StatusImage });

/** Batch of changed review states from the reviews' stream, as Lambda's event source mapping sends it. */
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
