import * as z from 'zod';
import { Ecosystem } from '../../../api/schemas/ecosystem.ts';

/** A text in DynamoDB's own JSON. */
const Text = z.object({ S: z.string() });

/** Image of a new version in the packages' stream; only fields that are used. */
export const NewVersionImage = z.object({
  ecosystem: z.object({ S: Ecosystem }),
  name: Text,
  version: Text,
});

/**
 * Batch of new versions from the packages' stream, as Lambda's event source mapping sends it. Each image is parsed
 * separately, so that an unreadable one does not block the others.
 */
export const NewVersionsEvent = z.object({
  Records: z.array(
    z.object({
      dynamodb: z.object({
        SequenceNumber: z.string(),
        /** The item's primary key, for the log. */
        Keys: z.unknown().optional(),
        NewImage: z.unknown().optional(),
      }),
    }),
  ),
});
export type NewVersionsEvent = z.infer<typeof NewVersionsEvent>;
