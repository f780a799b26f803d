import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import type { RegistryFunction } from './registry-function.ts';

interface EventLogProps {
  /** The table whose stream tells of everything that happens. */
  readonly decisions: ITableV2;
  /** The function that puts all of it in one order. */
  readonly sequencer: RegistryFunction;
}

/** Makes events of everything that happens. */
export class EventLog extends Construct {
  constructor(scope: Construct, id: string, { decisions, sequencer }: EventLogProps) {
    super(scope, id);
    sequencer.lambda.addEventSource(
      new DynamoEventSource(decisions, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: 100,
        // Whatever fails is tried until it succeeds, as nothing may come before it: the stream keeps a day.
        filters: [FilterCriteria.filter({ eventName: FilterRule.isEqual('INSERT') })],
      }),
    );
  }
}
