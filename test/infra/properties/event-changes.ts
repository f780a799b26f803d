import type { Change } from './changes.ts';

const fromStream = 'Properties.SourceParameters.DynamoDBStreamParameters';
const toBus = 'Properties.TargetParameters.EventBridgeEventBusParameters';
const delay = 'Properties.MetricTransformations.0';
const clock = 'Properties.ScheduleExpression';

/** Careless changes of the delivery of events. */
export const eventChanges: readonly Change[] = [
  // The order of events.
  [
    'orders another table',
    'sequenceeventsFunctionDynamoDBEventSource',
    'Properties.EventSourceArn',
    { 'Fn::GetAtt': ['TablesPackages448FB68C', 'StreamArn'] },
  ],
  [
    'orders by another function',
    'sequenceeventsFunctionDynamoDBEventSource',
    'Properties.FunctionName',
    { Ref: 'forwardversionsFunctionF97C1EC6' },
  ],
  [
    'forgets what happened before its first deployment',
    'sequenceeventsFunctionDynamoDBEventSource',
    'Properties.StartingPosition',
    'LATEST',
  ],
  [
    'leaves gaps where ordering fails',
    'sequenceeventsFunctionDynamoDBEventSource',
    'Properties.MaximumRetryAttempts',
    3,
  ],
  [
    'orders nothing of what happens',
    'sequenceeventsFunctionDynamoDBEventSource',
    'Properties.FilterCriteria.Filters.0.Pattern',
    '{"eventName":["MODIFY"]}',
  ],
  [
    'says late that ordering is late',
    'Monitoringsequenceeventslate',
    'Properties.Threshold',
    82_800_000,
  ],
  ['keeps no images of events', 'TablesEvents', 'Properties.StreamSpecification', undefined],
  // The bus.
  [
    'sends counters to the bus',
    'EventBusPipe',
    'Properties.SourceParameters.FilterCriteria.Filters.0.Pattern',
    '{"eventName":["INSERT"]}',
  ],
  [
    'sends every item to the bus',
    'EventBusPipe',
    'Properties.SourceParameters.FilterCriteria',
    undefined,
  ],
  [
    'reads another stream',
    'EventBusPipe',
    'Properties.Source',
    { 'Fn::GetAtt': ['TablesDecisions5C131F28', 'StreamArn'] },
  ],
  ['loses what the bus refuses', 'EventBusPipe', `${fromStream}.DeadLetterConfig`, undefined],
  [
    'gives up what the bus refuses after the stream has forgotten it',
    'EventBusPipe',
    `${fromStream}.MaximumRecordAgeInSeconds`,
    -1,
  ],
  [
    'gives up the good with the bad',
    'EventBusPipe',
    `${fromStream}.OnPartialBatchItemFailure`,
    undefined,
  ],
  ['brings more than a bus takes', 'EventBusPipe', `${fromStream}.BatchSize`, 100],
  ['skips events before it runs', 'EventBusPipe', `${fromStream}.StartingPosition`, 'LATEST'],
  ['calls all events the same', 'EventBusPipe', `${toBus}.DetailType`, 'event'],
  ['takes the delivery for the event', 'EventBusPipe', `${toBus}.Time`, undefined],
  ['calls itself something else', 'EventBusPipe', `${toBus}.Source`, 'registry'],
  [
    'forgets fields of an event',
    'EventBusPipe',
    'Properties.TargetParameters.InputTemplate',
    '{"id": <$.dynamodb.NewImage.id.S>}',
  ],
  [
    'lets the pipe write to any bus',
    'EventBusRole',
    'Properties.Policies.0.PolicyDocument.Statement.1.Resource',
    '*',
  ],
  [
    'lets pipes of others take its role',
    'EventBusRole',
    'Properties.AssumeRolePolicyDocument.Statement.0.Condition',
    undefined,
  ],
  ['ignores what the bus did not get', 'Monitoringeventdeadletters', '', undefined],
  ['ignores a pipe that fails', 'Monitoringeventbusfailing', '', undefined],
  [
    'watches the wrong metrics of the pipe',
    'Monitoringeventbusfailing',
    'Properties.Metrics.1.MetricStat.Metric.Namespace',
    'AWS/Events',
  ],
  [
    'forgets soon what was given up',
    'EventBusDeadLetters',
    'Properties.MessageRetentionPeriod',
    3600,
  ],
  [
    'adds a global index',
    'TablesReviews',
    'Properties.GlobalSecondaryIndexes',
    [{ IndexName: 'x' }],
  ],
  // What is due.
  ['looks every hour for what is due', 'DueWorkSchedule', clock, 'rate(1 hour)'],
  ['never looks for what is due', 'DueWorkSchedule', 'Properties.State', 'DISABLED'],
  ['ignores that what is due is late', 'Monitoringdueworklate', '', undefined],
  ['takes an hour for late', 'Monitoringdueworklate', 'Properties.Threshold', 3600],
  ['counts runs, not their delay', 'MonitoringCountDueWorkDelay', `${delay}.MetricValue`, '1'],
  ['measures delay elsewhere', 'MonitoringCountDueWorkDelay', `${delay}.MetricName`, 'Delay'],
  [
    'measures delay in another log',
    'MonitoringCountDueWorkDelay',
    'Properties.LogGroupName',
    { Ref: 'EndpointsLog' },
  ],
  ['ignores a stopped clock of reviews', 'Monitoringrundueworkasleep', '', undefined],
];
