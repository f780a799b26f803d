import * as z from 'zod';

const QueueRecord = z.object({
  messageId: z.string(),
  body: z.string(),
  /** `ApproximateReceiveCount`: number of deliveries of the message, with this one. */
  attributes: z.object({ ApproximateReceiveCount: z.string() }).optional(),
});

/** Batch of SQS messages, as Lambda's event source mapping sends it; only fields that are used. */
export const QueueEvent = z.object({ Records: z.array(QueueRecord) });
export type QueueEvent = z.infer<typeof QueueEvent>;
