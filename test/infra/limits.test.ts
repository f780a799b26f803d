import { Template } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { allRoutes } from '../../shared/api/all-routes.ts';
import { allPages } from '../../shared/api/non-api-routes.ts';
import { makeStack, synthesiseStack } from '../support/stack-template.ts';
import { allSettings, listMissingSettings } from './all-settings.ts';
import { resolveLongest } from './properties/longest-names.ts';
import { findResource, listResources, statementsOf, toLogicalId } from './properties/property.ts';

let full: Template;
beforeAll(() => {
  full = synthesiseStack(allSettings);
});

const countResources = (template: Template): number =>
  Object.keys(template.toJSON()['Resources']).length;

const lengthOf = (value: unknown): number => JSON.stringify(value).length;

describe('the stack with all settings', () => {
  it('has a value for every setting', () => {
    expect(listMissingSettings()).toEqual([]);
  });

  it('has at most 455 resources', () => {
    expect(countResources(full)).toBeLessThanOrEqual(455);
  });

  it('is not synthesised with more resources than cdk.json allows', () => {
    const name = '@aws-cdk/core:stackResourceLimit';
    const stack = makeStack(allSettings, { [name]: countResources(full) - 1 });

    // CloudFormation accepts 500.
    expect(cdkJson.context[name]).toBe(460);
    expect(() => Template.fromStack(stack)).toThrow(/greater than allowed maximum/);
  });

  it('has the permissions of each role inside the role', () => {
    expect(listResources(full, 'AWS::IAM::Policy')).toEqual([]);
    expect(listResources(full, 'AWS::IAM::ManagedPolicy')).toEqual([]);
  });

  it('has no role that exceeds the sizes of IAM, with the longest names', () => {
    for (const { id, Properties } of listResources(full, 'AWS::IAM::Role')) {
      const { Policies = [], AssumeRolePolicyDocument } = Properties;
      const documents = Policies.map(
        ({ PolicyDocument }: { PolicyDocument: unknown }) => PolicyDocument,
      );

      // IAM accepts 10,240 characters of inline policies and 2,048 of a trust policy.
      expect(lengthOf(resolveLongest(full, documents)), id).toBeLessThan(9000);
      expect(lengthOf(resolveLongest(full, AssumeRolePolicyDocument)), id).toBeLessThan(2048);
    }
  });
});

describe('the role of API Gateway', () => {
  const findRole = () => findResource(full, 'AWS::IAM::Role', 'ApiRole');

  it('may invoke the functions of all routes and pages, and do nothing else', () => {
    const functions = [...allRoutes, ...allPages].map(({ id }) => ({
      'Fn::GetAtt': [
        findResource(full, 'AWS::Lambda::Function', `${toLogicalId(id)}Function`).id,
        'Arn',
      ],
    }));
    const [statement, ...others] = statementsOf(findRole());

    expect(others).toEqual([]);
    expect(statement?.Action).toBe('lambda:InvokeFunction');
    expect(statement?.Resource).toHaveLength(functions.length);
    expect(statement?.Resource).toEqual(expect.arrayContaining(functions));
  });

  it('is the only way by which API Gateway invokes a function', () => {
    const { id } = findRole();
    const methods = listResources(full, 'AWS::ApiGateway::Method');
    const principals = listResources(full, 'AWS::Lambda::Permission').map(
      ({ Properties }) => Properties.Principal,
    );

    expect(methods).toHaveLength(allRoutes.length + allPages.length);
    for (const { Properties } of methods) {
      expect(Properties.Integration.Credentials).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
    }
    expect(principals).not.toContain('apigateway.amazonaws.com');
  });

  it('trusts API Gateway alone, for this API of this account where API Gateway names them', () => {
    const { id: api } = findResource(full, 'AWS::ApiGateway::RestApi', 'Api');
    const [start, region] = [
      ['arn:', { Ref: 'AWS::Partition' }],
      ['', { Ref: 'AWS::Region' }],
    ];
    const join = (...parts: unknown[]) => ({ 'Fn::Join': ['', parts] });
    const management = [...start, ':apigateway:', region[1], '::/restapis/', { Ref: api }];

    expect(findRole()['Properties'].AssumeRolePolicyDocument.Statement).toEqual([
      {
        Action: 'sts:AssumeRole',
        Effect: 'Allow',
        Principal: { Service: 'apigateway.amazonaws.com' },
        Condition: {
          StringEqualsIfExists: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
          ArnLikeIfExists: {
            'aws:SourceArn': [
              join(
                ...start,
                ':execute-api:',
                region[1],
                ':',
                { Ref: 'AWS::AccountId' },
                ':',
                { Ref: api },
                '/*',
              ),
              join(...management),
              join(...management, '/*'),
            ],
          },
        },
      },
    ]);
  });
});
