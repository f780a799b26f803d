import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StackModel } from '../src/template/model.ts';
import type { ReadOptions } from '../src/template/template.ts';
import { synthesiseFixture } from './fixture/app.ts';
import { findFirst, type Resources, readChangedTemplate } from './fixture/changed-template.ts';

let assembly: string;

beforeAll(() => {
  assembly = synthesiseFixture();
});

afterAll(() => rmSync(join(assembly, '..'), { recursive: true }));

const readChanged = (change: (resources: Resources) => void, options?: ReadOptions): StackModel =>
  readChangedTemplate(assembly, change, options);

describe('a shape that cannot run here', () => {
  it.each<[string, string, (properties: Record<string, unknown>) => void, RegExp]>([
    [
      'an unknown intrinsic function',
      'AWS::Lambda::Function',
      (properties) =>
        Object.assign(properties, { Environment: { Variables: { A: { 'Fn::GetAZs': '' } } } }),
      /^Probe.* \(AWS::Lambda::Function\) .*Fn::GetAZs/,
    ],
    [
      'a reference to what is not there',
      'AWS::Lambda::Function',
      (properties) =>
        Object.assign(properties, { Environment: { Variables: { A: { Ref: 'Gone' } } } }),
      /^Probe.*Ref to Gone/,
    ],
    [
      'a function in another language',
      'AWS::Lambda::Function',
      (properties) => Object.assign(properties, { Runtime: 'python3.14' }),
      /^Probe.*python3\.14/,
    ],
    [
      'a function without an asset',
      'AWS::Lambda::Function',
      (properties) => Object.assign(properties, { Code: { ZipFile: '' } }),
      /^Probe.*asset/,
    ],
    [
      'a signing key with another algorithm',
      'AWS::KMS::Key',
      (properties) => Object.assign(properties, { KeySpec: 'RSA_4096' }),
      /^Signer.*RSA_4096/,
    ],
    [
      'a signing key with a condition in its policy',
      'AWS::KMS::Key',
      ({ KeyPolicy }) => {
        const [statement] = Object(KeyPolicy).Statement;
        statement.Condition = { Bool: { 'kms:GrantIsForAWSResource': true } };
      },
      /^Signer.*Condition/,
    ],
    [
      'an integration that is no Lambda proxy',
      'AWS::ApiGateway::Method',
      (properties) => Object.assign(properties, { Integration: { Type: 'MOCK', Uri: 'x' } }),
      /^Api.*Integration\.Type/,
    ],
    [
      'a method behind an authorizer',
      'AWS::ApiGateway::Method',
      (properties) => Object.assign(properties, { AuthorizationType: 'AWS_IAM' }),
      /^Api.*AuthorizationType/,
    ],
    [
      'a policy with a condition',
      'AWS::IAM::Policy',
      ({ PolicyDocument }) =>
        Object.assign((PolicyDocument as { Statement: object[] }).Statement[0] ?? {}, {
          Condition: {},
        }),
      /^ProbeRole.*Condition/,
    ],
    [
      'a managed policy of unknown content',
      'AWS::IAM::Role',
      (properties) =>
        Object.assign(properties, {
          ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'],
        }),
      /^ProbeRole.*AdministratorAccess/,
    ],
    [
      'a function with a file system',
      'AWS::Lambda::Function',
      (properties) => Object.assign(properties, { FileSystemConfigs: [] }),
      /^Probe.*FileSystemConfigs is not emulated/,
    ],
    [
      'an API that an OpenAPI document describes',
      'AWS::ApiGateway::RestApi',
      (properties) => Object.assign(properties, { Body: {} }),
      /^Api.*OpenAPI/,
    ],
    [
      'an API with a policy of its own',
      'AWS::ApiGateway::RestApi',
      (properties) => Object.assign(properties, { Policy: {} }),
      /^Api.*resource policy is not evaluated/,
    ],
  ])('is refused by name: %s', (_, type, change, message) => {
    const read = () => readChanged((resources) => change(findFirst(resources, type).Properties));

    expect(read).toThrow(message);
  });

  it('is refused by name: a resource on a condition', () => {
    const read = () =>
      readChanged((resources) => {
        findFirst(resources, 'AWS::DynamoDB::GlobalTable').Condition = 'IsLarge';
      });

    expect(read).toThrow(/^Things.*its Condition IsLarge is not evaluated/);
  });

  it.each([
    'AWS::ApiGatewayV2::Api',
    'AWS::EC2::Instance',
    'AWS::IAM::RolePolicy',
    'AWS::Lambda::Url',
    'AWS::Logs::SubscriptionFilter',
    'AWS::S3::Bucket',
    'AWS::SNS::Subscription',
  ])('is refused by name: a resource of the type %s, unless it is to be gone without', (Type) => {
    const add = (resources: Resources): void => {
      resources['More'] = { Type, Properties: {} };
    };

    expect(() => readChanged(add)).toThrow(`More (${Type}) cannot run locally`);
    expect(() => readChanged(add, { goWithout: [Type] })).not.toThrow();
  });

  it('is refused by name: a rule on events, unless there shall be no buses', () => {
    const add = (resources: Resources): void => {
      const Properties = { EventBusName: { Ref: 'Bus' }, EventPattern: { source: ['shop'] } };
      resources['Bus'] = { Type: 'AWS::Events::EventBus', Properties: { Name: 'bus' } };
      resources['OnEvents'] = { Type: 'AWS::Events::Rule', Properties };
    };

    expect(() => readChanged(add)).toThrow('Bus (AWS::Events::EventBus) cannot run locally');
    expect(() => readChanged(add, { goWithout: ['AWS::Pipes::Pipe'] })).toThrow('cannot run');
    expect(readChanged(add, { goWithout: ['AWS::Events::EventBus'] }).schedules).toEqual({});
  });

  it.each([
    ['AWS::EC2::VPC', {}],
    ['AWS::Logs::MetricFilter', {}],
    ['AWS::SecretsManager::RotationSchedule', {}],
    ['AWS::SNS::Subscription', { Protocol: 'email' }],
  ])('is not a resource that functions do the same without: %s', (Type, Properties) => {
    const read = () =>
      readChanged((resources) => {
        resources['More'] = { Type, Properties };
      });

    expect(read).not.toThrow();
  });

  it('may hide where nothing reads it', () => {
    const read = () =>
      readChanged((resources) => {
        const { PolicyDocument } = findFirst(resources, 'AWS::IAM::Policy').Properties;
        const { Statement } = PolicyDocument as { Statement: object[] };
        Statement.push({ Effect: 'Allow', Action: 'sns:Publish', Resource: { Ref: 'Gone' } });
        resources['Alarm'] = { Type: 'AWS::CloudWatch::Alarm', Properties: { A: { Ref: 'Gone' } } };
      });

    expect(read).not.toThrow();
  });

  it('is an assembly without an API', () => {
    const read = () =>
      readChanged((resources) => {
        findFirst(resources, 'AWS::ApiGateway::RestApi').Type = 'AWS::Other';
      });

    expect(read).toThrow('exactly one stack with a REST API, found: none');
  });
});
