import type { Template } from 'aws-cdk-lib/assertions';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dataFormat } from '../../shared/api/data-format.ts';
import { tableIds } from '../../shared/api/resources.ts';
import { type CloudFormationStandIn, serveCloudFormation } from '../support/cloudformation.ts';

import { synthesiseStack } from '../support/stack-template.ts';
import { allSettings } from './all-settings.ts';
import { findResource, listResources, statementsOf } from './properties/property.ts';

const restored = {
  restoredTables: { packages: 'packages-2' },
  restoredStreams: {
    packages: 'arn:aws:dynamodb:eu-west-1:123456789012:table/packages-2/stream/x',
  },
};

const nameOf = ({ AttributeName }: { AttributeName: string }): string => AttributeName;

const describeIndex = (index: {
  IndexName: string;
  KeySchema: readonly { AttributeName: string }[];
}): string => `${index.IndexName}:${index.KeySchema.map(nameOf).at(-1)}`;

const findCheck = (template: Template) =>
  findResource(template, 'Custom::DeploymentCheck', 'DeploymentCheck');

/** The function of the check, its role and the log to which it writes. */
const prerequisites = /^(?:checkdeployment(?:Function|Role)|WorkersLog)/;

describe('the deployment check', () => {
  let plain: Template;
  beforeAll(() => {
    plain = synthesiseStack();
  });

  it.each([
    ['without settings', {}],
    ['with all settings', allSettings],
    ['with a restored table', restored],
    ['in development', { environment: 'development' }],
  ])('precedes every other part of a stack %s', (_, settings) => {
    const template = synthesiseStack(settings);
    const { id } = findCheck(template);
    const resources = Object.entries(template.toJSON()['Resources'] as Record<string, unknown>);
    const before = resources.filter(
      ([name, resource]) =>
        name !== id && ![(resource as { DependsOn?: string[] }).DependsOn].flat().includes(id),
    );

    expect(before.map(([name]) => name).filter((name) => !prerequisites.test(name))).toEqual([]);
    expect(before).toHaveLength(3);
  });

  it('may describe its own stack, write its log, and nothing else', () => {
    const statements = statementsOf(findResource(plain, 'AWS::IAM::Role', 'checkdeploymentRole'));

    expect(statements).toEqual([
      {
        Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        Effect: 'Allow',
        Resource: expect.anything(),
      },
      {
        Action: 'cloudformation:DescribeStacks',
        Effect: 'Allow',
        Resource: { Ref: 'AWS::StackId' },
      },
    ]);
    expect(Object.keys(plain.findOutputs('CheckDeploymentFunctionName'))).toEqual([]);
  });

  it('has the settings as texts, which CloudFormation does not change', () => {
    const { settings, ...rest } = findCheck(synthesiseStack(allSettings))['Properties'];

    expect(rest).toMatchObject({ dataFormat: String(dataFormat), loosen: 'fourEyes' });
    expect(Object.values(settings).filter((value) => typeof value !== 'string')).toEqual([]);
    expect(settings).toMatchObject({
      environment: 'production',
      fourEyes: 'true',
      restoredTables: '{}',
      vpcEndpointIds: 'none',
      licensePolicy: 'default',
    });
  });

  it('has what CloudFormation cannot change in each own table, with its logical id', () => {
    const tables = plain.findResources('AWS::DynamoDB::GlobalTable');
    const template = synthesiseStack(restored);
    const { packages, ...others } = findCheck(plain)['Properties'].tables;

    expect(Object.keys({ packages, ...others }).sort()).toEqual(tableIds.toSorted());
    for (const text of [packages, ...Object.values<string>(others)]) {
      const [id, keys, ...indexes] = text.split(' ');
      const { KeySchema, LocalSecondaryIndexes = [] } = tables[id]?.['Properties'] ?? {};
      expect(KeySchema.map(nameOf).join(), id).toBe(keys);
      expect(LocalSecondaryIndexes.map(describeIndex).sort(), id).toEqual(indexes);
    }
    expect(findCheck(template)['Properties'].tables).toEqual(others);
  });

  it('is in every stack once', () => {
    expect(listResources(plain, 'Custom::DeploymentCheck')).toHaveLength(1);
  });
});

describe('the function of the deployment check', () => {
  let cloudFormation: CloudFormationStandIn;
  beforeAll(async () => {
    cloudFormation = await serveCloudFormation();
  });
  afterEach(() => {
    cloudFormation.questions.length = 0;
  });
  afterAll(() => cloudFormation.close());

  const strict = { settings: { environment: 'production', fourEyes: 'true' }, loosen: 'none' };
  const loose = { settings: { environment: 'production', fourEyes: 'false' }, loosen: 'none' };

  const send = (request: Readonly<Record<string, unknown>>) =>
    cloudFormation.send('check-deployment', request);

  const update = (before: unknown, now: unknown) =>
    send({
      RequestType: 'Update',
      PhysicalResourceId: 'Check',
      ResourceProperties: now,
      OldResourceProperties: before,
    });

  it('accepts the first deployment and the deletion without a question', async () => {
    const created = await send({ RequestType: 'Create', ResourceProperties: loose });
    const deleted = await send({ RequestType: 'Delete', ResourceProperties: strict });

    expect(created).toMatchObject({ Status: 'SUCCESS', PhysicalResourceId: 'Check' });
    expect(deleted).toMatchObject({ Status: 'SUCCESS' });
    expect(cloudFormation.questions).toEqual([]);
  });

  it('refuses a loosened setting while the stack is updated', async () => {
    cloudFormation.status = 'UPDATE_IN_PROGRESS';

    expect(await update(strict, loose)).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining('change fourEyes from true to false. Tables'),
    });
    expect(cloudFormation.questions).toEqual([
      expect.stringContaining(encodeURIComponent('stack/Registry/x')),
    ]);
  });

  it('accepts it if the deployment names it', async () => {
    expect(await update(strict, { ...loose, loosen: 'recall,fourEyes' })).toMatchObject({
      Status: 'SUCCESS',
    });
  });

  it('accepts the earlier properties while CloudFormation takes the deployment back', async () => {
    cloudFormation.status = 'UPDATE_ROLLBACK_IN_PROGRESS';

    expect(await update(strict, loose)).toMatchObject({ Status: 'SUCCESS' });
  });

  it.each([
    ['UPDATE_IN_PROGRESS', { Status: 'FAILED', Reason: expect.stringContaining('of format 10,') }],
    ['UPDATE_ROLLBACK_IN_PROGRESS', { Status: 'SUCCESS' }],
  ])('compares data formats as numbers, with the status %s', async (now, answer) => {
    cloudFormation.status = now;

    expect(
      await update({ ...strict, dataFormat: '10' }, { ...strict, dataFormat: '9' }),
    ).toMatchObject(answer);
  });

  it('accepts a data format after a release without one', async () => {
    expect(await update(strict, { ...strict, dataFormat: '2' })).toMatchObject({
      Status: 'SUCCESS',
    });
    expect(cloudFormation.questions).toEqual([]);
  });

  it('refuses without the status of the stack', async () => {
    cloudFormation.status = undefined;

    expect(await update(strict, loose)).toMatchObject({
      Status: 'FAILED',
      Reason: expect.stringContaining('the status of the stack cannot be read (AccessDenied: no)'),
    });
  });
});
