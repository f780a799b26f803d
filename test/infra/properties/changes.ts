/** A change of a template: a prefix of the logical id, a path, and the new value. Undefined removes the value. */
export type Change = readonly [what: string, id: string, path: string, value: unknown];

const alarm = 'Properties';
const filter = 'Properties.MetricTransformations.0';
const replica = 'Properties.Replicas.0';

/** Careless changes of the template, whose effect would be noticed too late. */
export const changes: readonly Change[] = [
  // What is counted, and what is watched, under different names.
  ['counts problems by another name', 'MonitoringCountProblems', `${filter}.MetricName`, 'Faults'],
  ['counts problems elsewhere', 'MonitoringCountProblems', `${filter}.MetricNamespace`, 'Other'],
  ['counts without the code', 'MonitoringCountProblems', `${filter}.Dimensions`, undefined],
  ['counts another event', 'MonitoringCountProblems', 'Properties.FilterPattern', '{ $.x = "y" }'],
  ['counts nothing for each line', 'MonitoringCountProblems', `${filter}.MetricValue`, '0'],
  ['counts lost lists by another name', 'MonitoringCountTokenListNot', `${filter}.MetricName`, 'X'],
  ['counts lost lists elsewhere', 'MonitoringCountTokenListNot', `${filter}.MetricNamespace`, 'X'],
  ['counts open doors by another name', 'MonitoringCountAuthen', `${filter}.MetricName`, 'X'],
  [
    'counts in another log',
    'MonitoringCountAuthen',
    'Properties.LogGroupName',
    { Ref: 'WorkersLog' },
  ],
  ['watches another name', 'MonitoringTokenListNotLoaded', `${alarm}.MetricName`, 'TokenList'],
  ['watches another namespace', 'MonitoringAuthenticationOff', `${alarm}.Namespace`, 'Registry'],
  // Alarms that go off too late, always, or never.
  ['rings without any request', 'MonitoringServerErrors', `${alarm}.TreatMissingData`, 'breaching'],
  ['keeps ringing', 'MonitoringAuthenticationOff', `${alarm}.TreatMissingData`, 'ignore'],
  ['waits for 30 periods', 'MonitoringServerErrors', `${alarm}.EvaluationPeriods`, 30],
  ['waits for a long period', 'MonitoringTokenListNotLoaded', `${alarm}.Period`, 86_400],
  ['rings when all is well', 'MonitoringServerErrors', `${alarm}.ComparisonOperator`, 'LessThan'],
  ['lets failures pass', 'MonitoringServerErrors', `${alarm}.Threshold`, 100],
  ['takes the mean for the sum', 'MonitoringServerErrors', `${alarm}.Statistic`, 'Average'],
  ['takes the best answers', 'MonitoringSlowAnswers', `${alarm}.ExtendedStatistic`, 'p1'],
  ['notifies nobody', 'MonitoringServerErrors', `${alarm}.ActionsEnabled`, false],
  ['ignores missing tokens', 'MonitoringRefusalBurst', `${alarm}.Metrics.0.Expression`, 'm1'],
  [
    'takes another problem for missing tokens',
    'MonitoringRefusalBurst',
    `${alarm}.Metrics.1.MetricStat.Metric.Dimensions.0.Value`,
    'package_exists',
  ],
  ['lets a burst pass', 'MonitoringRefusalBurst', `${alarm}.Threshold`, 100_000],
  ['ignores a surge of requests', 'MonitoringRequestSurge', '', undefined],
  ['ignores failed workers', 'Monitoringworkerfaults', '', undefined],
  ['ignores a few failed workers', 'Monitoringworkerfaults', `${alarm}.Threshold`, 50],
  ['counts failed workers by another name', 'MonitoringCountWorker', `${filter}.MetricName`, 'X'],
  ['counts no worker that throws', 'MonitoringCountWorker', 'Properties.FilterPattern', '%REPORT%'],
  [
    'logs a worker elsewhere',
    'loadlicensesFunction',
    'Properties.LoggingConfig.LogGroup',
    { Ref: 'EndpointsLog' },
  ],
  [
    'changes the format of a log',
    'loadlicensesFunction',
    'Properties.LoggingConfig.LogFormat',
    'JSON',
  ],
  ['ignores a stopped clock', 'Monitoringrescanpackagesasleep', '', undefined],
  [
    'takes a silent clock for a good one',
    'Monitoringrescanpackagesasleep',
    `${alarm}.TreatMissingData`,
    'notBreaching',
  ],
  [
    'ignores a table that refuses',
    'MonitoringWritesThrottled',
    `${alarm}.Metrics.2.MetricStat.Metric.Dimensions.0.Value`,
    'other',
  ],
  // What is lost.
  ['keeps answers for ever', 'TablesIdempotency', 'Properties.TimeToLiveSpecification', undefined],
  [
    'expires by another field',
    'TablesIdempotency',
    'Properties.TimeToLiveSpecification.AttributeName',
    'ttl',
  ],
  ['lets a decision expire', 'TablesDecisions', 'Properties.TimeToLiveSpecification', {}],
  ['streams keys alone', 'TablesPackages', 'Properties.StreamSpecification.StreamViewType', 'KEYS'],
  ['deletes a table with the stack', 'TablesDecisions', 'DeletionPolicy', 'Delete'],
  ['leaves a table behind that never was', 'TablesDecisions', 'DeletionPolicy', 'Retain'],
  ['deletes a replaced table', 'TablesPackages', 'UpdateReplacePolicy', 'Delete'],
  ['protects no table', 'TablesScans', `${replica}.DeletionProtectionEnabled`, false],
  ['goes back to no moment', 'TablesScans', `${replica}.PointInTimeRecoverySpecification`, {}],
  ['never loads new licenses', 'LicenseCatalogueLoad', 'Properties.catalogue', 'constant'],
  ['loads no restored table', 'LicenseCatalogueLoad', 'Properties.table', 'licenses'],
  ['makes short tokens', 'TokensSecret', 'Properties.GenerateSecretString.PasswordLength', 12],
  ['puts a token into the template', 'TokensSecret', 'Properties.SecretString', 'token'],
  [
    'names a command for another entry',
    'FirstTokenCommand',
    'Value.Fn::Join.1.2',
    ' --query SecretString --output text | cut -d, -f2 | rev | cut -d: -f1 | rev',
  ],
  [
    'names a command that prints the label',
    'FirstTokenCommand',
    'Value.Fn::Join.1.2',
    ' --query SecretString --output text | cut -d, -f1',
  ],
  ['keeps logs for ever', 'EndpointsLog', 'Properties.RetentionInDays', undefined],
  // What runs too long, too often, or not at all.
  ['answers after the gateway left', 'listpackagesFunction', 'Properties.Timeout', 30],
  ['cuts a worker short', 'checkintegrityFunction', 'Properties.Timeout', 3],
  ['gives up loading too early', 'LicenseCatalogueLoad', 'Properties.ServiceTimeout', '60'],
  ['waits an hour for the licenses', 'LicenseCatalogueLoad', 'Properties.ServiceTimeout', '3600'],
  [
    'repeats a failed rescan',
    'rescanpackagesFunctionEventInvoke',
    'Properties.MaximumRetryAttempts',
    2,
  ],
  [
    'wakes a failed rescan again',
    'PackageScanningSchedule',
    'Properties.Targets.0.RetryPolicy.MaximumRetryAttempts',
    185,
  ],
  ['never rescans', 'PackageScanningSchedule', 'Properties.State', 'DISABLED'],
  ['runs on another machine', 'listpackagesFunction', 'Properties.Architectures.0', 'x86_64'],
  // The gateway.
  ['leaves an answer of the firewall to AWS', 'ApiRestApiWAFFILTERED', '', undefined],
  ['lets the firewall say yes', 'ApiRestApiWAFFILTERED', 'Properties.StatusCode', '200'],
  ['calls a throttled client faulty', 'ApiRestApiTHROTTLED', 'Properties.StatusCode', '400'],
  ['has answers kept', 'ApiRestApiDEFAULT5XX', 'Properties.ResponseParameters', {}],
  ['serves from the edge', 'ApiRestApi', 'Properties.EndpointConfiguration.Types.0', 'EDGE'],
  ['reads bodies as text', 'ApiRestApi', 'Properties.BinaryMediaTypes', undefined],
  ['compresses nothing', 'ApiRestApi', 'Properties.MinimumCompressionSize', undefined],
  ['takes the log role from others', 'ApiRestApiAccount', 'DeletionPolicy', 'Delete'],
  [
    'forgets where requests come from',
    'ApiRestApiDeploymentStage',
    'Properties.AccessLogSetting.Format',
    '{"level":"info"}',
  ],
  ['logs requests nowhere', 'ApiRestApiDeploymentStage', 'Properties.AccessLogSetting', undefined],
];

/** Changes of every resource of a type. */
export const typedChanges: readonly (readonly [
  what: string,
  type: string,
  path: string,
  value: unknown,
])[] = [
  ['forgets soon what was given up', 'AWS::SQS::Queue', 'MessageRetentionPeriod', 3600],
  [
    'waits for records without end',
    'AWS::Lambda::EventSourceMapping',
    'MaximumRecordAgeInSeconds',
    -1,
  ],
];
