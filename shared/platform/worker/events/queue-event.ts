import * as z from 'zod';

/** A batch of an SQS queue's messages, as Lambda's event source mapping sends it, as far as it is read. */
export const QueueEvent = z.object({
  Records: z.array(z.object({ messageId: z.string(), body: z.string() })),
});
export type QueueEvent = z.infer<typeof QueueEvent>;
