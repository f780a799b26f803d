import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RegistryStack } from '../../infra/registry-stack.ts';
import { allRoutes } from '../../shared/api/all-routes.ts';
import { allFunctions } from '../../shared/api/functions.ts';
import { allPages } from '../../shared/api/non-api-routes.ts';
import { queues, tables, upstreamSecretEnv } from '../../shared/api/resources.ts';
import { workers } from '../../shared/api/workers.ts';
import { signedEvents } from '../../shared/domain/attestations/decision-statement.ts';
import { makeStack, synthesiseStack } from '../support/stack-template.ts';
import {
  findResource,
  listResources,
  listStatements,
  statementsOf,
  toLogicalId,
} from './properties/property.ts';

const functionCount = allFunctions.length;

const resourcesOf = (template: Template, type: string) =>
  Object.values(template.findResources(type)) as { Properties: Record<string, unknown> }[];

/** Matches a reference to the function whose logical id has this prefix. */
const refersTo = (id: string) => ({ Ref: Match.stringLikeRegexp(`^${id}Function`) });

/** Independent settings, which one stack can have together. */
const manySettings = {
  ...{ scanFailedFrom: 'critical', scanWarningFrom: 'none', scanUnrated: 'passed' },
  ...{ alarmEmail: 'ops@example.com', requestSurge: 7, gatewayLogRole: 'false' },
  ...{ throttleRate: 50, throttleBurst: 100, maxReadUnits: 4000 },
  ...{ submissionsPerDay: 500, scansPerDay: 2000 },
  ...{ gateConcurrency: 200, workerConcurrency: 20 },
  ...{ requireTokens: true, rotationDays: 30, keptTokens: 2 },
  ...{ oidcIssuer: 'https://id.example.com', oidcClientId: 'registry' },
  ...{ oidcAudience: 'registry', identityRules: 'infra/identity.example.json' },
};

/** The template with many settings. */
let changed: Template;
beforeAll(() => {
  changed = synthesiseStack(manySettings);
});

/** The stack with the default settings. */
let plainStack: RegistryStack;
let plain: Template;
beforeAll(() => {
  plainStack = makeStack();
  plain = Template.fromStack(plainStack);
});

it('has a saved query that counts requests, submissions and errors by token, with its last use', () => {
  plain.hasResourceProperties('AWS::Logs::QueryDefinition', {
    Name: 'PackageRegistry/By token',
    LogGroupNames: [{ Ref: Match.stringLikeRegexp('^EndpointsLog') }],
    QueryString: [
      'fields coalesce(token_label, "none") as label, coalesce(token_fingerprint, "none") as fingerprint, concat(method, " ", path) as request',
      '| parse request /(?<is_submissions>^POST .*\\/api\\/v1\\/packages$)/',
      '| parse request /(?<is_bulk_submissions>^POST .*\\/api\\/v1\\/submissions$)/',
      '| parse request /(?<is_scans>^POST .*\\/api\\/v1\\/security\\/scans\\/[^\\/]+$)/',
      '| filter event = "request"',
      '| stats count(*) as requests, count(is_submissions) as submissions, count(is_bulk_submissions) as bulk_submissions, count(is_scans) as scans, count(code) as errors, max(@timestamp) as last_used by label, fingerprint',
      '| sort requests desc',
    ].join('\n'),
  });
});

describe('the issuers of ID tokens', () => {
  it('have an alarm for keys that cannot be loaded, only where there are issuers', () => {
    const alarm = {
      Namespace: 'PackageRegistry',
      MetricName: 'IssuerKeysNotLoaded',
      ...{ Statistic: 'Sum', Threshold: 3, Period: 300, EvaluationPeriods: 1 },
    };

    changed.hasResourceProperties('AWS::CloudWatch::Alarm', alarm);
    changed.hasResourceProperties('AWS::Logs::MetricFilter', {
      FilterPattern: '{ $.event = "issuer_keys_not_loaded" }',
    });
    plain.resourcePropertiesCountIs('AWS::CloudWatch::Alarm', alarm, 0);
  });
});

describe('the stack with the default settings', () => {
  it('lets each function write to the log of its kind only', () => {
    const statements = listStatements(plain).filter(({ Action }) =>
      [Action].flat().some((action) => action.startsWith('logs:')),
    );

    expect(statements).toHaveLength(functionCount);
    for (const statement of statements) {
      expect(statement).toMatchObject({
        Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: { 'Fn::GetAtt': [expect.stringMatching(/Log/), 'Arn'] },
      });
    }
    const logs = Map.groupBy(statements, (statement) => JSON.stringify(statement));
    const counts = [...logs.values()].map(({ length }) => length);
    const answering = allRoutes.length + allPages.length;
    expect(counts.sort()).toEqual([answering, functionCount - answering].sort());
  });

  it('has termination protection', () => {
    expect(plainStack.terminationProtection).toBe(true);
  });

  it('grants no managed policy and no wildcard to a function', () => {
    expect(JSON.stringify(listStatements(plain))).not.toMatch(
      /"Action":"\*"|"Resource":"\*"|:\*"|\/\*"/,
    );
    const roles = resourcesOf(plain, 'AWS::IAM::Role').filter((role) =>
      JSON.stringify(role).includes('lambda.amazonaws.com'),
    );
    expect(roles).toHaveLength(functionCount);
    for (const role of roles) expect(role).not.toHaveProperty('Properties.ManagedPolicyArns');
  });

  it('never lets a function change or delete a decision', () => {
    const [output = {}] = Object.values(plain.findOutputs('DecisionsTableName'));
    const { Ref: decisionsTable } = output['Value'] as { Ref: string };
    const actions = listStatements(plain)
      .filter((statement) => JSON.stringify(statement).includes(decisionsTable))
      .flatMap(({ Action }) => Action);
    const writers = allFunctions.filter(({ access }) => access.decisions?.includes('PutItem'));

    const streaming = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
    // Each function reads the format of its tables by a batch.
    const reading = ['BatchGetItem', 'GetItem', 'Query', 'Scan', ...streaming];
    const [puts, others] = [true, false].map((puts) =>
      actions.filter((action) => (action === 'dynamodb:PutItem') === puts),
    );
    expect(puts).toHaveLength(writers.length);
    expect(reading.map((name) => `dynamodb:${name}`)).toEqual(expect.arrayContaining(others ?? []));
  });

  it('gives functions the rights of updates and installs only while these settings are on', () => {
    const listGrants = (template: Template, id: string) => {
      const [, role] =
        Object.entries(template.findResources('AWS::IAM::Role')).find(([logicalId]) =>
          logicalId.startsWith(`${toLogicalId(id)}Role`),
        ) ?? [];
      return [...JSON.stringify(role).matchAll(/"(secretsmanager|sqs):(\w+)"/g)].map(
        ([, service, action]) => `${service}:${action}`,
      );
    };
    const gates = ['serve-npm', 'serve-pypi', 'serve-maven'];
    const listAll = (settings: object) => {
      const template = synthesiseStack({ ...settings });
      return {
        gate: [...new Set(gates.map((id) => listGrants(template, id).join()))],
        facts: listGrants(template, 'collect-facts').filter((one) => one.endsWith('SendMessage')),
        submitter: listGrants(template, 'submit-requested'),
        queues: resourcesOf(template, 'AWS::SQS::Queue').length,
      };
    };

    const off = listAll({});
    expect(off).toMatchObject({ gate: [''], facts: [], submitter: [] });
    expect(listAll({ followUpdates: 'minor' })).toEqual({
      ...{ gate: [''], facts: ['sqs:SendMessage'], queues: off.queues + 2 },
      submitter: ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
    });
    expect(listAll({ gateRequests: true })).toMatchObject({
      ...{ gate: ['secretsmanager:GetSecretValue,sqs:SendMessage'], facts: ['sqs:SendMessage'] },
      queues: off.queues + 2,
    });
  });

  it('lets only workers that send requests read the secret of upstream services, if there is one', () => {
    const arn = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:registries-AbCdEf';
    const findReaders = (
      template: Template,
      kind: string,
      isReader: (resource: string) => boolean,
    ) =>
      listResources(template, kind).flatMap((resource) =>
        isReader(JSON.stringify(resource))
          ? [resource.id.replace(/(?:Role|Function)\w+$/, '')]
          : [],
      );
    const listReaders = (template: Template) => ({
      granted: findReaders(template, 'AWS::IAM::Role', (text) => text.includes(arn)),
      told: findReaders(template, 'AWS::Lambda::Function', (text) =>
        text.includes(upstreamSecretEnv),
      ),
    });
    const template = synthesiseStack({ upstreamSecretArn: arn });
    const workers = [
      ...['collectfacts', 'recallpackages', 'rescanpackages', 'scansubmissions', 'submitrequested'],
    ];
    const statements = listStatements(template).filter(({ Resource }) => Resource === arn);

    expect(listReaders(plain)).toEqual({ granted: [], told: [] });
    expect(listReaders(template)).toEqual({ granted: workers, told: workers });
    expect(statements).toEqual(
      workers.map(() => ({
        ...{ Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: arn },
      })),
    );
  });

  it('has a key only while decisions are signed, with which only the worker signs', () => {
    const template = synthesiseStack({ signDecisions: true });
    const key = findResource(template, 'AWS::KMS::Key', 'SigningKey');
    const listUsers = (action: string) =>
      listResources(template, 'AWS::IAM::Role').flatMap((role) =>
        statementsOf(role).some(({ Action }) => [Action].flat().includes(action)) ? [role.id] : [],
      );
    const { Statement: statements } = key['Properties'].KeyPolicy;
    const [administration, signing, ...others] = statements;
    const worker = findResource(template, 'AWS::IAM::Role', 'signdecisions');

    plain.resourceCountIs('AWS::KMS::Key', 0);
    expect(JSON.stringify(listStatements(plain))).not.toContain('kms:');
    expect(key).toMatchObject({
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' },
    });
    expect(listUsers('kms:Sign')).toEqual([]);
    expect(listUsers('kms:GetPublicKey')).toEqual([expect.stringMatching(/^showkeysRole/)]);
    expect(others).toEqual([]);
    expect(signing).toEqual({
      ...{ Sid: 'Signing', Effect: 'Allow', Action: ['kms:GetPublicKey', 'kms:Sign'] },
      Principal: { AWS: { 'Fn::GetAtt': [worker.id, 'Arn'] } },
      Resource: '*',
    });
    expect(administration.Action.join()).not.toMatch(/kms:\*|Sign|Grant|Re\*/);
  });

  it('signs decisions by the stream of records, with retries and a dead-letter queue', () => {
    const template = synthesiseStack({ signDecisions: true });
    const queue = findResource(template, 'AWS::SQS::Queue', 'SigningKeyDeadLetters');

    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: { Ref: Match.stringLikeRegexp('^signdecisionsFunction') },
      BatchSize: 25,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      MaximumRecordAgeInSeconds: 43_200,
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': [queue.id, 'Arn'] } } },
      FilterCriteria: {
        Filters: [
          {
            Pattern: JSON.stringify({
              eventName: ['INSERT'],
              dynamodb: { NewImage: { type: { S: [...signedEvents] } } },
            }),
          },
        ],
      },
    });
  });

  it('warns that its alarms notify nobody', () => {
    const annotations = Annotations.fromStack(plainStack);

    annotations.hasWarning('*', Match.stringLikeRegexp('^Alarms notify nobody: set alarmEmail'));
    plain.resourceCountIs('AWS::SNS::Topic', 0);
  });

  it.each([
    'ApiUrl',
    'TokensSecretArn',
    'FirstTokenCommand',
    'CheckIntegrityFunctionName',
    'EndpointsLogGroupName',
    'WorkersLogGroupName',
    'ScanDeadLettersUrl',
    'EventBusName',
    'EventDeadLettersUrl',
    ...Object.keys(tables).map((id) => `${id[0]?.toUpperCase()}${id.slice(1)}TableName`),
  ])('has the output %s', (output) => {
    expect(Object.keys(plain.findOutputs('*'))).toContain(output);
  });
});

describe('the scanning in the stack', () => {
  it('has a consumer of the stream that gets new versions only', () => {
    plain.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      FunctionName: refersTo('forwardversions'),
      StartingPosition: 'TRIM_HORIZON',
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      // The stream retries while a queue is unavailable.
      MaximumRetryAttempts: Match.absent(),
      MaximumRecordAgeInSeconds: 12 * 60 * 60,
      FilterCriteria: {
        Filters: [
          {
            Pattern: Match.serializedJson({
              eventName: ['INSERT'],
              dynamodb: { NewImage: { ecosystem: { S: ['pypi', 'npm', 'maven', 'docker'] } } },
            }),
          },
        ],
      },
    });
  });

  it('has the scanner consume a queue, with partial batch failures', () => {
    plain.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: Match.objectLike({
        'Fn::GetAtt': [Match.stringLikeRegexp('^QueuesScan'), 'Arn'],
      }),
      FunctionName: refersTo('scansubmissions'),
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 4 },
    });
  });

  it('receives a message five times, with a visibility timeout above six runs', () => {
    const { scan } = queues;

    expect(scan.hiddenMinutes).toBeGreaterThanOrEqual(workers.scanSubmissions.timeoutMinutes * 6);
    plain.hasResourceProperties('AWS::SQS::Queue', {
      VisibilityTimeout: scan.hiddenMinutes * 60,
      RedrivePolicy: {
        maxReceiveCount: 5,
        deadLetterTargetArn: {
          'Fn::GetAtt': [Match.stringLikeRegexp('^QueuesScanDeadLetters'), 'Arn'],
        },
      },
    });
    plain.hasResourceProperties('AWS::SQS::Queue', {
      MessageRetentionPeriod: 14 * 24 * 60 * 60,
      RedrivePolicy: Match.absent(),
    });
  });

  it.each([
    ['is an hour old', 'ApproximateAgeOfOldestMessage', '^QueuesScan[0-9A-F]{8}$', 3600],
    [
      'is in the dead-letter queue',
      'ApproximateNumberOfMessagesVisible',
      '^QueuesScanDeadLetters',
      1,
    ],
  ])('has an alarm on a message that %s', (_, MetricName, queue, Threshold) => {
    plain.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/SQS',
      MetricName,
      Statistic: 'Maximum',
      Threshold,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
      Dimensions: [
        {
          Name: 'QueueName',
          Value: { 'Fn::GetAtt': [Match.stringLikeRegexp(queue), 'QueueName'] },
        },
      ],
    });
  });

  it('invokes the rescan every 15 minutes', () => {
    plain.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: 'rate(15 minutes)',
      State: 'ENABLED',
    });
  });

  it('can be switched off, and then sends no requests', () => {
    const template = synthesiseStack({ osvScanning: 'false', collectFacts: 'false' });

    for (const { Properties } of [
      ...resourcesOf(template, 'AWS::Lambda::EventSourceMapping'),
      ...resourcesOf(template, 'AWS::Events::Rule'),
    ]) {
      expect(JSON.stringify(Properties)).not.toMatch(
        /forwardversions|scansub|rescanpackages|collectfacts/,
      );
    }
  });

  it.each([
    ['osvScanning', /scansub|rescanpackages/, /collectfacts/],
    ['collectFacts', /collectfacts/, /scansub/],
  ])('is separate from upstream metadata: %s', (setting, without, still) => {
    const mappings = JSON.stringify([
      ...resourcesOf(synthesiseStack({ [setting]: 'false' }), 'AWS::Lambda::EventSourceMapping'),
    ]);

    expect(mappings).not.toMatch(without);
    expect(mappings).toMatch(still);
    expect(mappings).toMatch(/forwardversions/);
  });

  it('sets the severity variables of each function that evaluates scans', () => {
    const judges = changed.findResources('AWS::Lambda::Function', {
      Properties: {
        Environment: {
          Variables: {
            SCAN_FAILED_FROM: 'critical',
            SCAN_WARNING_FROM: 'none',
            SCAN_UNRATED: 'passed',
          },
        },
      },
    });
    const expected = allFunctions.filter(({ access }) =>
      access.settings?.some((setting) => setting === 'scanUnrated'),
    );
    expect(Object.keys(judges)).toHaveLength(expected.length);
  });
});

describe('the integrity check in the stack', () => {
  const findRules = (template: Template) =>
    resourcesOf(template, 'AWS::Events::Rule').filter(({ Properties }) =>
      JSON.stringify(Properties).includes('checkintegrity'),
    );

  it('begins or continues every 15 minutes, and has an alarm for problems', () => {
    expect(findRules(plain)).toEqual([
      expect.objectContaining({
        Properties: expect.objectContaining({
          ScheduleExpression: 'rate(15 minutes)',
          Targets: [expect.objectContaining({ Input: '{"scheduled":true}' })],
        }),
      }),
    ]);
    plain.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'IntegrityProblems',
      Statistic: 'Sum',
      Threshold: 1,
    });
  });

  it('can be switched off', () => {
    const without = synthesiseStack({ integrityDays: '0' });

    expect(findRules(without)).toEqual([]);
    expect(JSON.stringify(resourcesOf(without, 'AWS::CloudWatch::Alarm'))).not.toMatch(
      /IntegrityProblems|checkintegrityasleep/,
    );
  });
});

describe('the stack for development', () => {
  it('deletes everything with the stack', () => {
    const template = synthesiseStack({ environment: 'development' });

    template.allResources('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'Delete',
      Properties: { Replicas: [Match.objectLike({ DeletionProtectionEnabled: false })] },
    });
    template.allResources('AWS::Logs::LogGroup', { DeletionPolicy: 'Delete' });
    template.hasResource('AWS::SecretsManager::Secret', { DeletionPolicy: 'Delete' });
  });
});

describe('the settings of the stack', () => {
  const given = 'arn:aws:sns:eu-west-1:123456789012:ops';

  it('let only alarms of the account publish to a topic, which requires TLS', () => {
    changed.hasResourceProperties('AWS::SNS::Subscription', {
      Protocol: 'email',
      Endpoint: 'ops@example.com',
    });
    changed.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: [
          Match.objectLike({
            Effect: 'Deny',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          }),
          {
            Effect: 'Allow',
            Action: 'sns:Publish',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Resource: { Ref: Match.stringLikeRegexp('^MonitoringChannelTopic') },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
        ],
      },
    });
  });

  it.each<[string, Record<string, string>, unknown[]]>([
    ['an address', { alarmEmail: 'ops@example.com' }, [{ Ref: Match.anyValue() }]],
    ['a topic', { alarmTopicArn: given }, [given]],
    ['both', { alarmEmail: 'ops@example.com', alarmTopicArn: given }, [Match.anyValue(), given]],
  ])('notify %s of every alarm and its end, without a warning', (_, settings, actions) => {
    const stack = makeStack(settings);

    Template.fromStack(stack).allResourcesProperties('AWS::CloudWatch::Alarm', {
      AlarmActions: actions,
      OKActions: actions,
    });
    Annotations.fromStack(stack).hasNoWarning('*', Match.stringLikeRegexp('alarms'));
  });

  it('set the threshold of the alarm on request surges', () => {
    changed.hasResourceProperties('AWS::CloudWatch::Alarm', {
      MetricName: 'Count',
      Threshold: 7,
    });
  });

  it('leave out the account-wide role for logs of API Gateway', () => {
    changed.resourceCountIs('AWS::ApiGateway::Account', 0);
    changed.hasResourceProperties('AWS::ApiGateway::Stage', {
      AccessLogSetting: Match.anyValue(),
    });
  });

  it('throttle the stage', () => {
    changed.hasResourceProperties('AWS::ApiGateway::Stage', {
      MethodSettings: [Match.objectLike({ ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 })],
    });
  });

  it('limit the instances of the gate and of workers, and of nothing else', () => {
    const listReserved = (template: Template) =>
      Object.entries(template.findResources('AWS::Lambda::Function')).flatMap(([id, resource]) => {
        const { ReservedConcurrentExecutions: reserved } = resource['Properties'];
        return reserved === undefined ? [] : [`${id.replace(/Function.*$/, '')} ${reserved}`];
      });
    const listQueueLimits = (template: Template) =>
      resourcesOf(template, 'AWS::Lambda::EventSourceMapping').flatMap(
        ({ Properties }) => Object(Properties['ScalingConfig'])['MaximumConcurrency'] ?? [],
      );
    const others = { reviewPolicy: 'balanced@2', gateRequests: true };
    const withOthers = synthesiseStack({ ...manySettings, ...others });
    const gates = ['servemaven 200', 'servenpm 200', 'servepypi 200'];
    const readers = ['forwardversions 20', 'indexversions 20', 'sequenceevents 20'];

    expect(listReserved(plain)).toEqual([]);
    expect(listReserved(changed).toSorted()).toEqual([...readers, ...gates].toSorted());
    expect(listReserved(withOthers)).toContain('applypolicy 20');
    expect(listQueueLimits(plain)).toEqual([4, 4]);
    expect(listQueueLimits(changed)).toEqual([20, 20]);
    expect(listQueueLimits(withOthers)).toEqual([20, 20, 20]);
  });

  it('limit the read units of each table, but not its write units', () => {
    const limits = (template: Template) =>
      resourcesOf(template, 'AWS::DynamoDB::GlobalTable').map(({ Properties }) => {
        const { Replicas, WriteOnDemandThroughputSettings } = Properties;
        const [{ ReadOnDemandThroughputSettings }] = Replicas as [Record<string, unknown>];
        return [ReadOnDemandThroughputSettings, WriteOnDemandThroughputSettings];
      });

    expect(limits(plain)).toEqual(Object.keys(tables).map(() => [undefined, undefined]));
    expect(limits(changed)).toEqual(
      Object.keys(tables).map(() => [{ MaxReadRequestUnits: 4000 }, undefined]),
    );
  });

  it('set the quotas of functions, which are off by default', () => {
    const quotasOf = (template: Template) =>
      resourcesOf(template, 'AWS::Lambda::Function')
        .map(({ Properties }) => Object(Properties['Environment'])['Variables'] ?? {})
        .flatMap(
          ({ SUBMISSIONS_PER_DAY, SCANS_PER_DAY }) => SUBMISSIONS_PER_DAY ?? SCANS_PER_DAY ?? [],
        );

    expect(quotasOf(plain)).toEqual(['0', '0', '0', '0']);
    expect(quotasOf(changed).sort()).toEqual(['2000', '500', '500', '500']);
  });

  it('set whether tokens are required, in the functions that authenticate', () => {
    const functions = changed.findResources('AWS::Lambda::Function', {
      Properties: { Environment: { Variables: { REQUIRE_TOKENS: 'true' } } },
    });
    const expected = allRoutes.filter(({ access }) => 'tokens' in access);
    expect(Object.keys(functions)).toHaveLength(expected.length);
  });

  it('rotate tokens on a schedule that does not start with the deployment', () => {
    plain.resourceCountIs('AWS::SecretsManager::RotationSchedule', 0);

    changed.hasResourceProperties('AWS::SecretsManager::RotationSchedule', {
      RotateImmediatelyOnUpdate: false,
      RotationRules: { AutomaticallyAfterDays: 30 },
    });
    changed.hasResourceProperties('AWS::Lambda::Permission', {
      Principal: 'secretsmanager.amazonaws.com',
      SourceArn: Match.objectLike({ Ref: Match.stringLikeRegexp('^Tokens') }),
    });
    changed.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ KEPT_TOKENS: '2' }) },
    });
  });

  it('replace tables by restored ones, with the same grants', () => {
    const packages =
      'arn:aws:dynamodb:eu-west-1:123456789012:table/packages-restored/stream/2026-01-31T12:00:00.000';
    const template = synthesiseStack({
      restoredTables: { packages: 'packages-restored' },
      restoredStreams: { packages },
    });

    template.resourceCountIs('AWS::DynamoDB::GlobalTable', Object.keys(tables).length - 1);
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: { PACKAGES_TABLE: 'packages-restored' } },
    });
    expect(JSON.stringify(listStatements(template))).toContain(
      ':table/packages-restored/index/by-sequence',
    );
    template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: packages,
    });
  });
});
