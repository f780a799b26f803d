/** Reads a function's result for a batch: https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html */
import type { DynamoDBRecord } from 'aws-lambda';
import * as z from 'zod';
import { readSequenceNumber } from './stream-event.ts';

const responseSchema = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
});

/**
 * Returns the index of the first record to deliver again, or undefined if the whole batch succeeded. A malformed result,
 * or a result with a record of another batch, fails the whole batch.
 */
export const findFirstFailed = (
  records: readonly DynamoDBRecord[],
  answer: unknown,
): number | undefined => {
  if (answer === null || answer === undefined) return undefined;
  const response = responseSchema.safeParse(answer);
  if (!response.success) return 0;
  const failures = response.data.batchItemFailures ?? [];
  if (failures.length === 0) return undefined;
  const indexes = failures.map(({ itemIdentifier }) =>
    records.findIndex((record) => readSequenceNumber(record) === itemIdentifier),
  );
  return Math.max(0, Math.min(...indexes));
};
