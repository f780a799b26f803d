import { marshall } from '@aws-sdk/util-dynamodb';
import { readStack } from '@package-registry/local-aws';
import { App } from 'aws-cdk-lib';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { goWithout } from '../../infra/local/synthesis.ts';
import { matches, parsePattern } from '../../local-aws/src/template/event-pattern.ts';
import { RegistryEvent } from '../../shared/api/schemas/event.ts';
import { toEventItem } from '../../shared/storage/events/event-item.ts';
import { makeStack, synthesiseStack } from '../support/stack-template.ts';
import { findResource, statementsOf } from './properties/property.ts';

const plain = synthesiseStack();

const item = toEventItem(
  {
    package_key: 'npm#left-pad',
    decision_key: '1.3.0 2026-01-31T12:00:00.000Z',
    moment: '2026-01-31T12:00:00.000Z x',
    id: 'x',
    type: 'package.approved',
    at: '2026-01-31T12:00:00.000Z',
    ecosystem: 'npm',
    name: 'left-pad',
    version: '1.3.0',
    by: 'ann@example.com',
    from: 'pending',
    to: 'approved',
    reason: 'She said "yes"\nand <so> it $.is',
    token_label: null,
    token_fingerprint: null,
  },
  1001,
);

/** Returns the stream record of a new item. */
const toRecord = ({ p, s, ...rest }: { readonly p: string; readonly s: string }) => ({
  eventName: 'INSERT',
  dynamodb: { Keys: marshall({ p, s }), NewImage: marshall({ p, s, ...rest }) },
});

const findPipe = (template: Template) => {
  const [pipe] = Object.values(template.findResources('AWS::Pipes::Pipe'));
  return pipe?.['Properties'];
};

/** Returns the value at a path such as `$.a.b`. */
const follow = (path: string, from: unknown): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce((value, name) => (value as Record<string, unknown>)[name], from);

/** Fills a template as a pipe does: the value at each path replaces it, as JSON. */
const fill = (template: string, record: unknown): unknown =>
  JSON.parse(template.replace(/<(\$[^>]+)>/g, (_, path) => JSON.stringify(follow(path, record))));

describe('the pipe to the bus', () => {
  it.each([
    ['an event', toRecord(item), true],
    ['an event that changed', { ...toRecord(item), eventName: 'MODIFY' }, false],
    ['the head of the sequence', toRecord({ p: '#head', s: '#head' }), false],
    ['the counters of a day', toRecord({ p: '#days', s: '2026-01-31' }), false],
    ['the note of a record', toRecord({ p: 'r#x', s: '#note' }), false],
  ])('passes or drops %s', (_, record, taken) => {
    const [filter] = findPipe(plain).SourceParameters.FilterCriteria.Filters;

    expect(matches(parsePattern(filter.Pattern), record)).toBe(taken);
  });

  it('sends all fields of an event to the bus as strings, and missing ones empty', () => {
    const { InputTemplate, EventBridgeEventBusParameters: bus } = findPipe(plain).TargetParameters;
    const record = toRecord(item);

    const { p: _, s: __, sequence, ...texts } = item;
    expect(fill(InputTemplate, record)).toEqual({ ...texts, sequence: '1001' });
    expect(Object.keys(RegistryEvent.shape).sort()).toEqual(
      ['sequence', ...Object.keys(texts)].sort(),
    );
    expect([follow(bus.DetailType, record), follow(bus.Time, record)]).toEqual([
      item.type,
      item.at,
    ]);
  });

  it('reads the stream of a restored table, as a new pipe', () => {
    const events =
      'arn:aws:dynamodb:eu-west-1:123456789012:table/events-restored/stream/2026-01-31T12:00:00.000';

    const template = synthesiseStack({
      restoredTables: { events: 'events-restored' },
      restoredStreams: { events },
    });

    expect(findPipe(template)).toMatchObject({ Source: events });
    expect(findPipe(template)).not.toHaveProperty('Name');
    expect(statementsOf(findResource(template, 'AWS::IAM::Role', 'EventBusRole'))).toContainEqual(
      expect.objectContaining({
        Action: expect.arrayContaining(['dynamodb:GetRecords']),
        Resource: events,
      }),
    );
  });
});

describe('the webhook', () => {
  const settings = {
    webhookUrl: 'https://hooks.example.com/registry?team=1',
    webhookSecretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:hook-AbCdEf',
  };

  it('is absent without the setting', () => {
    plain.resourceCountIs('AWS::Events::Connection', 0);
    plain.resourceCountIs('AWS::Events::ApiDestination', 0);
    for (const { Properties } of Object.values(plain.findResources('AWS::Events::Rule'))) {
      expect(Properties).not.toHaveProperty('EventPattern');
    }
  });

  it('gets every event of the bus for 24 hours, with the secret in a header; others go to the dead letters', () => {
    const template = synthesiseStack(settings);

    template.hasResourceProperties('AWS::Events::Connection', {
      AuthorizationType: 'API_KEY',
      AuthParameters: {
        ApiKeyAuthParameters: {
          ApiKeyName: 'X-Webhook-Secret',
          ApiKeyValue: `{{resolve:secretsmanager:${settings.webhookSecretArn}:SecretString:::}}`,
        },
      },
    });
    template.hasResourceProperties('AWS::Events::ApiDestination', {
      HttpMethod: 'POST',
      InvocationEndpoint: settings.webhookUrl,
    });
    template.hasResourceProperties('AWS::Events::Rule', {
      EventBusName: { Ref: Match.stringLikeRegexp('^EventBus') },
      EventPattern: {
        source: [findPipe(template).TargetParameters.EventBridgeEventBusParameters.Source],
      },
      State: 'ENABLED',
      Targets: [
        Match.objectLike({
          InputPath: '$.detail',
          RetryPolicy: { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 },
          DeadLetterConfig: {
            Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^EventBusDeadLetters'), 'Arn'] },
          },
        }),
      ],
    });
    template.hasResourceProperties('AWS::SQS::QueuePolicy', {
      Queues: [{ Ref: Match.stringLikeRegexp('^EventBusDeadLetters') }],
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Action: 'sqs:SendMessage',
            Principal: { Service: 'events.amazonaws.com' },
            Condition: {
              ArnEquals: {
                'aws:SourceArn': { 'Fn::GetAtt': [Match.stringLikeRegexp('WebhookRule'), 'Arn'] },
              },
            },
          }),
        ]),
      },
    });
  });

  it('does not prevent a local run', () => {
    const app = makeStack(settings).node.root;
    if (!App.isApp(app)) throw new Error('The stack is in no app');
    const assembly = app.synth().directory;

    const model = readStack(assembly, { goWithout });

    expect(Object.values(model.schedules)).toHaveLength(6);
    expect(() => readStack(assembly)).toThrow('cannot run locally');
  });
});
