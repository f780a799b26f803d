import * as z from 'zod';

/** What a client calls a request that it may have to send again. */
export const IdempotencyKey = z
  .string()
  .regex(/^[ -~]{1,255}$/)
  .describe('The same request with the same key gets its first answer again, for 24 hours.');
