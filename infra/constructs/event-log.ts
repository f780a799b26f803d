import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { formatKeyValue } from '../../shared/api/data-format.ts';
import { tables } from '../../shared/api/resources.ts';
import type { RegistryFunction } from './registry-function.ts';

/** Lets only new records pass, and not the item with the format of the table. */
const newRecords = FilterCriteria.filter({
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: {
    Keys: { [tables.decisions.partitionKey]: { S: FilterRule.notEquals(formatKeyValue) } },
  },
});

interface EventLogProps {
  /** The table with every decision and change. Its stream drives the function. */
  readonly decisions: ITableV2;
  /** The function that numbers all events in one sequence. */
  readonly sequencer: RegistryFunction;
}

/** Has a function turn each new record of decisions and changes into an event. */
export class EventLog extends Construct {
  constructor(scope: Construct, id: string, { decisions, sequencer }: EventLogProps) {
    super(scope, id);
    sequencer.lambda.addEventSource(
      new DynamoEventSource(decisions, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        batchSize: 100,
        // A failed batch is retried for the 24 hours that the stream keeps records: events must not change their order.
        filters: [newRecords],
      }),
    );
  }
}
