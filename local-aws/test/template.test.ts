import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StackModel } from '../src/template/model.ts';
import { readStack } from '../src/template/template.ts';
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
      timeoutSeconds: 10,
      memoryMb: 256,
      environment: {
        THINGS_TABLE: only(model.tables).name,
        PASSWORD_ARN: only(model.secrets).arn,
        SIGNER_ARN: only(model.signingKeys).arn,
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
      {
        effect: 'Allow',
        actions: ['kms:Sign'],
        resources: [only(model.signingKeys).arn],
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
      for (const [id, { Type }] of Object.entries(resources)) {
        if (Type === 'AWS::Lambda::Permission') delete resources[id];
      }
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
