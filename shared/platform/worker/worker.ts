import type { Context } from 'aws-lambda';
import type * as z from 'zod';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';

/** Returns the handler of a background function. It validates the event; an error is logged and fails the invocation. */
export const worker =
  <S extends z.ZodType, R>(
    schema: S,
    run: (event: z.output<S>, deadline: Deadline) => Promise<R>,
  ) =>
  async (event: unknown, context: Context): Promise<R> => {
    try {
      return await run(schema.parse(event ?? {}), {
        remainingMs: () => context.getRemainingTimeInMillis(),
      });
    } catch (error) {
      logEvent('error', 'worker_failed', { request_id: context.awsRequestId, error });
      throw error;
    }
  };
