import type { Context } from 'aws-lambda';
import type * as z from 'zod';
import { DataFormatError } from '../../storage/dynamodb/data-format-error.ts';
import { waitForFormat } from '../../storage/dynamodb/wait-for-format.ts';
import type { Deadline } from '../../util/deadline.ts';
import { logEvent } from '../../util/log.ts';
import { UnfinishedRunError } from '../../util/unfinished-run.ts';

/**
 * Returns the handler of a background function. It validates the event; an error is logged and fails the invocation.
 * `begin` resolves when the run may begin: by default, when the tables have the data format of this release.
 */
export const worker =
  <S extends z.ZodType, R>(
    schema: S,
    run: (event: z.output<S>, deadline: Deadline) => Promise<R>,
    begin: (deadline: Deadline) => Promise<void> = waitForFormat,
  ) =>
  async (event: unknown, context: Context): Promise<R> => {
    const deadline = { remainingMs: () => context.getRemainingTimeInMillis() };
    try {
      const parsed = schema.parse(event ?? {});
      await begin(deadline);
      return await run(parsed, deadline);
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
