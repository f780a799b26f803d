import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import { synthesiseStack } from '../support/stack-template.ts';
import { alarmProperties } from './properties/alarms.ts';
import { dataProperties } from './properties/data.ts';
import type { Property } from './properties/property.ts';
import { servingProperties } from './properties/serving.ts';

const properties: readonly Property[] = [
  ...alarmProperties,
  ...dataProperties,
  ...servingProperties,
];

let template: Template;
beforeAll(() => {
  template = synthesiseStack();
});

describe('the stack', () => {
  it.each(properties)('$why', ({ check }) => check(template));
});

/** Part of a template, at any depth. */
type Part = ReturnType<Template['toJSON']>;

/** One change: of the resource whose logical id begins so, at a path; undefined takes the value out. */
type Change = readonly [what: string, id: string, path: string, value: unknown];

const findParent = (from: Part, path: readonly string[]): Part =>
  path.reduce((part, name) => part[name], from);

/** The template with one change in it. A change that changes nothing is a mistake of the table below. */
const apply = ([, prefix, path, value]: Change): Template => {
  const json = structuredClone(template.toJSON());
  const all = { ...json['Resources'], ...json['Outputs'] };
  const begun = Object.keys(all).filter((id) => id.startsWith(prefix));
  const named = begun.filter((id) => /^[0-9A-F]{8}$/.test(id.slice(prefix.length)));
  const ids = named.length > 0 ? named : begun;
  expect(ids).toHaveLength(1);
  const [id = ''] = ids;
  if (path === '') delete json['Resources'][id];
  else {
    const names = path.split('.');
    const parent = findParent(all[id], names.slice(0, -1));
    const name = names.at(-1) ?? '';
    expect(parent[name]).not.toEqual(value);
    if (value === undefined) delete parent[name];
    else parent[name] = value;
  }
  return Template.fromJSON(json);
};

const isRefused = (changed: Template): boolean =>
  properties.some(({ check }) => {
    try {
      check(changed);
      return false;
    } catch {
      return true;
    }
  });

const alarm = 'Properties';
const filter = 'Properties.MetricTransformations.0';
const replica = 'Properties.Replicas.0';

/** What one careless change does to the template, and what nobody would notice until it is too late. */
const changes: readonly Change[] = [
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
  ['tells nobody', 'MonitoringServerErrors', `${alarm}.ActionsEnabled`, false],
  ['ignores missing tokens', 'MonitoringRefusalBurst', `${alarm}.Metrics.0.Expression`, 'm1'],
  [
    'takes another problem for missing tokens',
    'MonitoringRefusalBurst',
    `${alarm}.Metrics.1.MetricStat.Metric.Dimensions.0.Value`,
    'package_exists',
  ],
  ['lets a burst pass', 'MonitoringRefusalBurst', `${alarm}.Threshold`, 100_000],
  ['ignores a surge of requests', 'MonitoringRequestSurge', '', undefined],
  ['ignores a worker', 'Monitoringloadlicenseserrors', '', undefined],
  [
    'watches another worker twice',
    'Monitoringrotatetokenserrors',
    `${alarm}.Metrics.1.MetricStat.Metric.Dimensions.0.Value`,
    { Ref: 'auditcatalogueFunction' },
  ],
  [
    'ignores workers that find no room',
    'Monitoringauditcatalogueerrors',
    `${alarm}.Metrics.0.Expression`,
    'FILL(m0, 0)',
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
    " --query SecretString --output text | cut -d, -f2 | sed 's/.*://'",
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
  ['cuts a worker short', 'auditcatalogueFunction', 'Properties.Timeout', 3],
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
    'PackageScanningClock',
    'Properties.Targets.0.RetryPolicy.MaximumRetryAttempts',
    185,
  ],
  ['never rescans', 'PackageScanningClock', 'Properties.State', 'DISABLED'],
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

describe('a change by which the stack', () => {
  it.each(changes)('%s is refused', (...change) => {
    expect(isRefused(apply(change))).toBe(true);
  });
});

/** Changes of what an event source or a queue is, whatever it is called. */
const typedChanges: readonly (readonly [
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

describe('a change of all by which the stack', () => {
  it.each(typedChanges)('%s is refused', (_, type, path, value) => {
    const json = structuredClone(template.toJSON());
    const resources: Part[] = Object.values(json['Resources']);
    const found = resources.filter((resource) => resource['Type'] === type);
    for (const { Properties } of found) Properties[path] = value;

    expect(found.length).toBeGreaterThan(0);
    expect(isRefused(Template.fromJSON(json))).toBe(true);
  });

  it.each(['IteratorAge', 'NumberOfMessagesSent', 'ApproximateNumberOfMessagesVisible'])(
    'ignores %s is refused',
    (metric) => {
      const json = structuredClone(template.toJSON());
      const entries: [string, Part][] = Object.entries(json['Resources']);
      const kept = entries.filter(([, { Properties }]) => Properties?.MetricName !== metric);

      if (kept.length === entries.length) return;
      expect(isRefused(Template.fromJSON({ ...json, Resources: Object.fromEntries(kept) }))).toBe(
        true,
      );
    },
  );
});
