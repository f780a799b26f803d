import * as z from 'zod';

/** A batch of a DynamoDB stream's records of new items, as Lambda's event source mapping sends it, as far as it is read. */
export const StreamEvent = z.object({
  Records: z.array(
    z.object({
      dynamodb: z.object({
        SequenceNumber: z.string(),
        /** Attribute names to values in DynamoDB's own JSON, such as `{"S": "text"}`. */
        NewImage: z.record(z.string(), z.record(z.string(), z.unknown())),
      }),
    }),
  ),
});
export type StreamEvent = z.infer<typeof StreamEvent>;
