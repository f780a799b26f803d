import * as z from 'zod';
import { Ecosystem } from './ecosystem.ts';

/** A text in DynamoDB's own JSON. */
const Text = z.object({ S: z.string() });

/** A batch of new versions from the packages' stream, as Lambda's event source mapping sends it, as far as it is read. */
export const NewVersionsEvent = z.object({
  Records: z.array(
    z.object({
      dynamodb: z.object({
        SequenceNumber: z.string(),
        NewImage: z.object({ ecosystem: z.object({ S: Ecosystem }), name: Text, version: Text }),
      }),
    }),
  ),
});
export type NewVersionsEvent = z.infer<typeof NewVersionsEvent>;
