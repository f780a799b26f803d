import * as z from 'zod';

/** Batch of new records from the decisions' stream, as Lambda's event source mapping sends it; only fields that are used. */
export const RecordStream = z.object({
  Records: z.array(
    z.object({
      dynamodb: z.object({
        SequenceNumber: z.string(),
        /** The item's primary key, for the log. */
        Keys: z.unknown().optional(),
        /** In DynamoDB's own JSON. */
        NewImage: z.unknown().optional(),
      }),
    }),
  ),
});
export type RecordStream = z.infer<typeof RecordStream>;
