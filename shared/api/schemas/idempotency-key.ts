import * as z from 'zod';

/** Key that a client chooses for a request, to send the same request again safely. */
export const IdempotencyKey = z
  .string()
  .regex(/^[ -~]{1,255}$/)
  .describe(
    'Makes a repetition safe: the same request with the same key gets the first answer again, for 24 hours.',
  );
