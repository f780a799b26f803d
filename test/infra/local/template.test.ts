import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StackModel } from '../../../infra/local/template/model.ts';
import { readStack } from '../../../infra/local/template/template.ts';
import { synthesiseFixture } from './fixture/app.ts';
import { type Resource, type Resources, readChangedTemplate } from './fixture/changed-template.ts';

let assembly: string;
let model: StackModel;

beforeAll(() => {
  assembly = synthesiseFixture();
  model = readStack(assembly);
});

afterAll(() => rmSync(join(assembly, '..'), { recursive: true }));

const readChanged = (change: (resources: Resources) => void): StackModel =>
  readChangedTemplate(assembly, change);

const firstOf = (resources: Resources, type: string): Resource => {
  const found = Object.values(resources).find((resource) => resource.Type === type);
  if (!found) throw new Error(`The fixture has no ${type}`);
  return found;
};

const only = <T>(parts: Readonly<Record<string, T>>): T => {
  const [part, ...others] = Object.values(parts);
  if (part === undefined || others.length > 0) throw new Error('Not exactly one');
  return part;
};

describe('the model of a synthesised stack', () => {
  it('has each route with its function and API Gateway’s permission', () => {
    const { routes } = model.api;
    const { id } = only(model.functions);

    expect(routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'GET /',
      'GET /limited',
      'GET /things/special',
      'GET /things/{name}',
      'GET /things/{name}/parts/{part}',
      'POST /act',
    ]);
    expect(routes.every(({ functionId, permitted }) => functionId === id && permitted)).toBe(true);
  });

  it('has the stage, its throttles and its log', () => {
    expect(model.api).toMatchObject({
      stage: 'live',
      stageVariables: null,
      binaryMediaTypes: ['image/*'],
    });
    expect(model.api.accessLogFormat).toContain('$context.requestId');
    expect(model.api.routes.filter(({ throttle }) => throttle)).toMatchObject([
      { path: '/limited', throttle: { ratePerSecond: 1, burst: 2 } },
    ]);
  });

  it('has the gateway responses', () => {
    expect(model.api.gatewayResponses).toEqual({
      MISSING_AUTHENTICATION_TOKEN: {
        statusCode: 404,
        headers: { 'Content-Type': "'application/problem+json'" },
        templates: { 'application/json': '{"status":404,"id":"$context.requestId"}' },
      },
      DEFAULT_5XX: {
        statusCode: 500,
        headers: {},
        templates: { 'application/json': '{"message":$context.error.messageString}' },
      },
    });
  });

  it('has functions with their code and the names of what they use', () => {
    const { codeDirectory, ...probe } = only(model.functions);

    expect(probe).toMatchObject({
      handler: 'index.handler',
      timeoutSeconds: 1,
      memoryMb: 256,
      environment: {
        THINGS_TABLE: only(model.tables).name,
        TOKENS_ARN: only(model.secrets).arn,
      },
    });
    expect(readFileSync(join(codeDirectory, 'index.mjs'), 'utf8')).toContain('handler');
  });

  it('has what each role may do, with ARNs', () => {
    const table = `arn:aws:dynamodb:us-east-1:000000000000:table/${only(model.tables).name}`;

    expect(only(model.roles)).toEqual([
      {
        effect: 'Allow',
        actions: ['dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
        resources: [table],
      },
      { effect: 'Allow', actions: ['dynamodb:Query'], resources: [`${table}/index/by-size`] },
      {
        effect: 'Allow',
        actions: ['secretsmanager:GetSecretValue'],
        resources: [only(model.secrets).arn],
      },
    ]);
  });

  it('has tables with keys, indexes, expiry and stream', () => {
    expect(only(model.tables)).toMatchObject({
      keySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      localIndexes: [{ IndexName: 'by-size' }],
      globalIndexes: [],
      timeToLiveAttribute: 'expires',
      streamViewType: 'NEW_IMAGE',
    });
  });
});

describe('a permission of API Gateway', () => {
  const permissions = (resources: Resources): Resource[] =>
    Object.values(resources).filter(({ Type }) => Type === 'AWS::Lambda::Permission');

  const permitted = ({ api }: StackModel): string[] =>
    api.routes.filter((route) => route.permitted).map(({ path }) => path);

  it('is missing where the template has none', () => {
    const changed = readChanged((resources) => {
      for (const permission of permissions(resources)) permission.Type = 'AWS::Other';
    });

    expect(permitted(changed)).toEqual([]);
  });

  it.each<[string, string | undefined, number]>([
    ['without a source holds for every route', undefined, 6],
    [
      'for the whole API holds for every route',
      'arn:aws:execute-api:us-east-1:000000000000:*/*/*/*',
      6,
    ],
    [
      'for one method holds for its routes',
      'arn:aws:execute-api:us-east-1:000000000000:*/live/POST/*',
      1,
    ],
    [
      'for another stage holds for none',
      'arn:aws:execute-api:us-east-1:000000000000:*/test/*/*',
      0,
    ],
  ])('%s', (_, source, count) => {
    const changed = readChanged((resources) => {
      for (const { Properties } of permissions(resources)) Properties['SourceArn'] = source;
    });

    expect(permitted(changed)).toHaveLength(count);
  });
});

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
  ])('is refused by name: %s', (_, type, change, message) => {
    const read = () => readChanged((resources) => change(firstOf(resources, type).Properties));

    expect(read).toThrow(message);
  });

  it('may hide where nothing reads it', () => {
    const read = () =>
      readChanged((resources) => {
        const { PolicyDocument } = firstOf(resources, 'AWS::IAM::Policy').Properties;
        const { Statement } = PolicyDocument as { Statement: object[] };
        Statement.push({ Effect: 'Allow', Action: 'sns:Publish', Resource: { Ref: 'Gone' } });
        resources['Alarm'] = { Type: 'AWS::CloudWatch::Alarm', Properties: { A: { Ref: 'Gone' } } };
      });

    expect(read).not.toThrow();
  });

  it('is an assembly without an API', () => {
    const read = () =>
      readChanged((resources) => {
        firstOf(resources, 'AWS::ApiGateway::RestApi').Type = 'AWS::Other';
      });

    expect(read).toThrow('exactly one stack with a REST API, found: none');
  });
});
