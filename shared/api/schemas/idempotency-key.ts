import * as z from 'zod';

/** Key that a client chooses for a request, to send the same request again safely. */
export const IdempotencyKey = z
  .string()
  .regex(/^[ -~]{1,255}$/)
  .describe('The same request with the same key gets its first answer again, for 24 hours.');
