import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { synthesiseFixture } from './fixture/app.ts';
import { findFirst, type Resources, readChangedTemplate } from './fixture/changed-template.ts';

let assembly: string;
beforeAll(() => {
  assembly = synthesiseFixture();
});
afterAll(() => rmSync(join(assembly, '..'), { recursive: true }));

const apiOf = (resources: Resources): string => {
  const [id = ''] =
    Object.entries(resources).find(([, { Type }]) => Type === 'AWS::ApiGateway::RestApi') ?? [];
  return id;
};

const functionOf = (resources: Resources): string => {
  const [id = ''] =
    Object.entries(resources).find(([, { Type }]) => Type === 'AWS::Lambda::Function') ?? [];
  return id;
};

interface Role {
  readonly action?: string;
  readonly resource?: unknown;
  readonly service?: string;
  readonly condition?: object;
}

/** Replaces the function's permissions with a role for all methods. */
const useRole =
  ({ action = 'lambda:InvokeFunction', resource, service, condition }: Role) =>
  (resources: Resources): void => {
    const own = { 'Fn::GetAtt': [functionOf(resources), 'Arn'] };
    const grant = { Effect: 'Allow', Action: action, Resource: resource ?? own };
    const trust = {
      Effect: 'Allow',
      Action: 'sts:AssumeRole',
      Principal: { Service: service ?? 'apigateway.amazonaws.com' },
      ...(condition && { Condition: condition }),
    };
    resources['GatewayRole'] = {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: { Statement: [trust] },
        Policies: [{ PolicyName: 'Grants', PolicyDocument: { Statement: [grant] } }],
      },
    };
    for (const [id, { Type, Properties }] of Object.entries(resources)) {
      if (Type === 'AWS::Lambda::Permission') delete resources[id];
      if (Type !== 'AWS::ApiGateway::Method') continue;
      const Credentials = { 'Fn::GetAtt': ['GatewayRole', 'Arn'] };
      Properties['Integration'] = { ...Object(Properties['Integration']), Credentials };
    }
  };

const countPermitted = (change: (resources: Resources) => void): number =>
  readChangedTemplate(assembly, change).api.routes.filter(({ permitted }) => permitted).length;

const account = '000000000000';
const arnOf = (path: string) => `arn:aws:execute-api:us-east-1:${account}:${path}`;

describe('an integration with a role', () => {
  it.each<[string, Role, number]>([
    ['passes where the role may invoke the function', {}, 6],
    ['is refused where the role names another function', { resource: 'arn:aws:lambda:x' }, 0],
    ['is refused where the role allows another action', { action: 'lambda:GetFunction' }, 0],
    ['is refused where the role trusts another service', { service: 'lambda.amazonaws.com' }, 0],
    [
      'passes where the role trusts the account',
      { condition: { StringEquals: { 'aws:SourceAccount': account } } },
      6,
    ],
    [
      'is refused where the role trusts another account',
      { condition: { StringEqualsIfExists: { 'aws:SourceAccount': '123456789012' } } },
      0,
    ],
    [
      'passes for the methods that the role trusts',
      { condition: { ArnLike: { 'aws:SourceArn': arnOf('*/live/GET/things/*') } } },
      3,
    ],
    [
      'is refused where the role trusts another API',
      { condition: { ArnLikeIfExists: { 'aws:SourceArn': [arnOf('other/*')] } } },
      0,
    ],
  ])('%s', (_, role, count) => {
    expect(countPermitted(useRole(role))).toBe(count);
  });

  it('passes for its own API only', () => {
    const change = (resources: Resources): void => {
      const sourceArn = arnOf(`${apiOf(resources)}/*`);
      useRole({ condition: { ArnLikeIfExists: { 'aws:SourceArn': sourceArn } } })(resources);
    };

    expect(countPermitted(change)).toBe(6);
  });

  it('is refused by name where the condition of the trust is not evaluated', () => {
    const change = useRole({ condition: { Bool: { 'aws:SecureTransport': 'true' } } });

    expect(() => countPermitted(change)).toThrow(/^GatewayRole.*trust policy is not evaluated/);
  });

  it('is refused by name where the role is not in the template', () => {
    const change = (resources: Resources): void => {
      useRole({})(resources);
      const { Properties } = findFirst(resources, 'AWS::ApiGateway::Method');
      const Credentials = 'arn:aws:iam::000000000000:role/Elsewhere';
      Properties['Integration'] = { ...Object(Properties['Integration']), Credentials };
    };

    expect(() => countPermitted(change)).toThrow(/Elsewhere is not in the template/);
  });
});
