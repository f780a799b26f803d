import * as z from 'zod';
import { Ecosystem } from '../../../api/schemas/ecosystem.ts';

/** A text in DynamoDB's own JSON. */
const Text = z.object({ S: z.string() });

/** What the packages' stream tells of a new version, as far as it is read. */
export const NewVersionImage = z.object({
  ecosystem: z.object({ S: Ecosystem }),
  name: Text,
  version: Text,
});

/**
 * A batch of new versions from the packages' stream, as Lambda's event source mapping sends it. Each image is read by
 * itself, so that one that cannot be read keeps back no other.
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
