import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { matches } from '../src/template/event-pattern.ts';
import type { StackModel } from '../src/template/model.ts';
import { readStack } from '../src/template/template.ts';
import { type Resources, readChangedTemplate } from './fixture/changed-template.ts';
import { synthesiseEventFixture } from './fixture/event-app.ts';

let assembly: string;
let model: StackModel;

beforeAll(() => {
  assembly = synthesiseEventFixture();
  model = readStack(assembly);
});

afterAll(() => rmSync(join(assembly, '..'), { recursive: true }));

const only = <T>(parts: Readonly<Record<string, T>>): T => {
  const [part, ...others] = Object.values(parts);
  if (part === undefined || others.length > 0) throw new Error('Not exactly one');
  return part;
};

/** Returns the model after a change to the properties of every resource of the type. */
const readWith = (type: string, change: Record<string, unknown>): StackModel =>
  readChangedTemplate(assembly, (resources) => {
    for (const { Type, Properties } of Object.values(resources)) {
      if (Type === type) Object.assign(Properties, change);
    }
  });

const mapping = 'AWS::Lambda::EventSourceMapping';
const rule = 'AWS::Events::Rule';

describe('the model', () => {
  it('has the mapping of a stream, with what the template says', () => {
    const { filters, ...source } = only(model.eventSources);

    expect(source).toEqual({
      id: expect.stringMatching(/^Worker/),
      tableId: only(model.tables).id,
      functionId: only(model.functions).id,
      onFailureQueueId: only(model.queues).id,
      batchSize: 10,
      batchingWindowSeconds: 0,
      maxRetryAttempts: 1,
      maxRecordAgeSeconds: 3600,
      bisectsOnError: true,
      parallelizationFactor: 1,
      reportsItemFailures: true,
      startingPosition: 'TRIM_HORIZON',
    });
    expect(filters.map((filter) => matches(filter, { eventName: 'REMOVE' }))).toEqual([false]);
  });

  it('has Lambda’s defaults for what the template leaves out', () => {
    const changed = readChangedTemplate(assembly, (resources) => {
      const found = Object.values(resources).find(({ Type }) => Type === mapping);
      if (!found) throw new Error('The fixture has no mapping');
      const { EventSourceArn, FunctionName } = found.Properties;
      found.Properties = { EventSourceArn, FunctionName, StartingPosition: 'LATEST' };
    });

    const { onFailureQueueId, ...source } = only(changed.eventSources);
    expect(onFailureQueueId).toBeUndefined();
    expect(source).toMatchObject({
      batchSize: 100,
      batchingWindowSeconds: 0,
      maxRetryAttempts: Number.POSITIVE_INFINITY,
      maxRecordAgeSeconds: Number.POSITIVE_INFINITY,
      bisectsOnError: false,
      parallelizationFactor: 1,
      reportsItemFailures: false,
      filters: [],
      startingPosition: 'LATEST',
    });
  });

  it('takes -1 for no limit', () => {
    const changed = readWith(mapping, { MaximumRetryAttempts: -1, MaximumRecordAgeInSeconds: -1 });

    expect(only(changed.eventSources)).toMatchObject({
      maxRetryAttempts: Number.POSITIVE_INFINITY,
      maxRecordAgeSeconds: Number.POSITIVE_INFINITY,
    });
  });

  it('has queues, and what a role may send to them', () => {
    const { arn } = only(model.queues);

    expect(arn).toMatch(/^arn:aws:sqs:us-east-1:000000000000:Failures/);
    expect(only(model.roles)).toContainEqual({
      effect: 'Allow',
      actions: expect.arrayContaining(['sqs:SendMessage']),
      resources: [arn],
    });
  });

  it('has schedules with their targets', () => {
    const target = { functionId: only(model.functions).id, permitted: true, retryAttempts: 2 };

    expect(Object.values(model.schedules)).toMatchObject([
      { id: expect.stringMatching(/^Hourly/), everyMs: 3_600_000, targets: [target] },
      { everyMs: 86_400_000, targets: [{ ...target, input: { task: 'daily' } }] },
    ]);
  });

  it.each([
    ['rate(1 minute)', 60_000],
    ['rate(5 minutes)', 300_000],
    ['rate(12 hours)', 43_200_000],
    ['rate(30 days)', 2_592_000_000],
  ])('reads %s', (ScheduleExpression, everyMs) => {
    const { schedules } = readWith(rule, { ScheduleExpression });

    expect(Object.values(schedules).map((schedule) => schedule.everyMs)).toEqual([
      everyMs,
      everyMs,
    ]);
  });

  it('leaves out what is switched off', () => {
    expect(readWith(mapping, { Enabled: false }).eventSources).toEqual({});
    expect(readWith(rule, { State: 'DISABLED' }).schedules).toEqual({});
  });

  it.each([
    ['without a source', undefined, true],
    ['for all rules', 'arn:aws:events:us-east-1:000000000000:rule/*', true],
    ['for another rule', 'arn:aws:events:us-east-1:000000000000:rule/Other', false],
  ])('knows whether a permission %s lets a rule in', (_, SourceArn, permitted) => {
    const { schedules } = readWith('AWS::Lambda::Permission', { SourceArn });

    const targets = Object.values(schedules).flatMap((schedule) => schedule.targets);
    expect(targets.map((target) => target.permitted)).toEqual([permitted, permitted]);
  });

  it('knows how often a function is tried again', () => {
    const { schedules } = readChangedTemplate(assembly, (resources) => {
      addInvokeConfig(resources, { MaximumRetryAttempts: 1 });
    });

    const targets = Object.values(schedules).flatMap((schedule) => schedule.targets);
    expect(targets.map(({ retryAttempts }) => retryAttempts)).toEqual([1, 1]);
  });
});

const addInvokeConfig = (resources: Resources, properties: object): void => {
  resources['Config'] = {
    Type: 'AWS::Lambda::EventInvokeConfig',
    Properties: {
      FunctionName: { Ref: only(model.functions).id },
      Qualifier: '$LATEST',
      ...properties,
    },
  };
};

describe('what is not emulated', () => {
  it.each<[string, string, Record<string, unknown>, RegExp]>([
    ['a window that tumbles', mapping, { TumblingWindowInSeconds: 5 }, /TumblingWindowInSeconds/],
    ['a batch too large', mapping, { BatchSize: 10_001 }, /BatchSize/],
    ['a start at a time', mapping, { StartingPosition: 'AT_TIMESTAMP' }, /StartingPosition/],
    ['another source', mapping, { EventSourceArn: 'arn:aws:sqs:x' }, /arn:aws:sqs:x is neither/],
    ['another function', mapping, { FunctionName: 'Other' }, /its function is not/],
    [
      'another destination',
      mapping,
      { DestinationConfig: { OnFailure: { Destination: 'arn:aws:sns:x' } } },
      /arn:aws:sns:x is not/,
    ],
    [
      'a filter by numbers',
      mapping,
      { FilterCriteria: { Filters: [{ Pattern: '{"a":[{"numeric":["=",1]}]}' }] } },
      /numeric/,
    ],
    ['a cron expression', rule, { ScheduleExpression: 'cron(0 8 * * ? *)' }, /cron\(0 8 \* \* \?/],
    ['a rule on events', rule, { EventPattern: {} }, /EventPattern/],
    [
      'a transformed input',
      rule,
      { Targets: [{ Arn: 'x', Id: 'y', InputTransformer: {} }] },
      /Targets/,
    ],
    ['a target that is no function', rule, { Targets: [{ Arn: 'x', Id: 'y' }] }, /x is not one/],
  ])('is refused by name: %s', (_, type, change, why) => {
    const read = () => readWith(type, change);

    expect(read).toThrow(why);
    expect(read).toThrow(`(${type}) cannot run locally`);
  });

  it('is refused by name: a schedule of EventBridge Scheduler', () => {
    const read = () =>
      readChangedTemplate(assembly, (resources) => {
        resources['Nightly'] = { Type: 'AWS::Scheduler::Schedule', Properties: {} };
      });

    expect(read).toThrow('Nightly (AWS::Scheduler::Schedule) cannot run locally');
  });

  it('is refused by name: a destination of asynchronous invocations', () => {
    const read = () =>
      readChangedTemplate(assembly, (resources) => {
        addInvokeConfig(resources, { DestinationConfig: {} });
      });

    expect(read).toThrow('Config (AWS::Lambda::EventInvokeConfig) cannot run locally');
  });

  it('is refused by name: a mapping of a table without a stream', () => {
    const read = () => readWith('AWS::DynamoDB::GlobalTable', { StreamSpecification: undefined });

    expect(read).toThrow('is neither the stream of one of its tables');
  });
});
