import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { RegistryFunction } from './registry-function.ts';

/** Has a function follow the changes of heads that a filter lets through. A stream has two readers at most. */
export const followHeads = (
  reader: RegistryFunction,
  reviews: ITableV2,
  filter: ReturnType<typeof FilterCriteria.filter>,
): void =>
  reader.lambda.addEventSource(
    new DynamoEventSource(reviews, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 20,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      // What fails so often keeps the others back no longer: its log line names it.
      retryAttempts: 5,
      filters: [filter],
    }),
  );
