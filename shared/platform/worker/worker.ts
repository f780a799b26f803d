import type { Context } from 'aws-lambda';
import type * as z from 'zod';
import { DataFormatError } from '../../storage/dynamodb/data-format-error.ts';
import { waitForFormat } from '../../storage/dynamodb/wait-for-format.ts';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';
import { UnfinishedRunError } from '../../util/unfinished-run.ts';

/** Returns a handler that validates the event. An error is logged and fails the invocation. */
export const loggedHandler =
  <S extends z.ZodType, R>(
    schema: S,
    run: (event: z.output<S>, deadline: Deadline) => Promise<R>,
  ) =>
  async (event: unknown, context: Context): Promise<R> => {
    const deadline = { remainingMs: () => context.getRemainingTimeInMillis() };
    try {
      return await run(schema.parse(event ?? {}), deadline);
    } catch (error) {
      if (error instanceof UnfinishedRunError) {
        logEvent('info', 'worker_unfinished', { request_id: context.awsRequestId, error });
        throw error;
      }
      // Lambda repeats the run, and the deployment reports a failed upgrade.
      if (error instanceof DataFormatError && error.isTemporary) {
        logEvent('info', 'worker_postponed', { request_id: context.awsRequestId, error });
        throw error;
      }
      logEvent('error', 'worker_failed', { request_id: context.awsRequestId, error });
      throw error;
    }
  };

/**
 * Returns the handler of a background function. It waits for the data format of this release, and validates the event. An error
 * is logged and fails the invocation.
 */
export const worker = <S extends z.ZodType, R>(
  schema: S,
  run: (event: z.output<S>, deadline: Deadline) => Promise<R>,
) =>
  loggedHandler(schema, async (event, deadline) => {
    await waitForFormat(deadline);
    return run(event, deadline);
  });
