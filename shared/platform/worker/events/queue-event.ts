import * as z from 'zod';

/** Batch of SQS messages, as Lambda's event source mapping sends it; only fields that are used. */
export const QueueEvent = z.object({
  Records: z.array(z.object({ messageId: z.string(), body: z.string() })),
});
export type QueueEvent = z.infer<typeof QueueEvent>;
