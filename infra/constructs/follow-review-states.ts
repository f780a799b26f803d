import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { RegistryFunction } from './registry-function.ts';

/** Has a function process the changes of review states that pass one of the filters. A stream has at most two consumers. */
export const followReviewStates = (
  reader: RegistryFunction,
  reviews: ITableV2,
  filters: readonly ReturnType<typeof FilterCriteria.filter>[],
): void =>
  reader.lambda.addEventSource(
    new DynamoEventSource(reviews, {
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: 20,
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      // After the last retry the record is skipped, so that it does not block its shard. A log line names it.
      retryAttempts: 5,
      filters: [...filters],
    }),
  );
