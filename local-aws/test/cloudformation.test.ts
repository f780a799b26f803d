import {
  CloudFormationClient,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Credentials } from '../src/iam/principals.ts';
import { stackArn } from '../src/template/names.ts';
import { granted, useAws } from './fixture/aws.ts';

const aws = useAws();
let probe: CloudFormationClient;
let administrator: CloudFormationClient;

beforeAll(() => {
  const { endpoint, principals } = aws;
  const connect = (credentials: Credentials) =>
    new CloudFormationClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });
  probe = connect(principals.getCredentials('Probe'));
  administrator = connect(principals.administrator);
});

describe('DescribeStacks', () => {
  it.each([granted.name, stackArn(granted.name)])('describes the stack %s', async (StackName) => {
    const { Stacks } = await probe.send(new DescribeStacksCommand({ StackName }));

    expect(Stacks).toHaveLength(1);
    expect(Stacks?.[0]).toMatchObject({
      StackId: stackArn(granted.name),
      StackName: granted.name,
      StackStatus: 'UPDATE_COMPLETE',
      CreationTime: expect.any(Date),
    });
    const outputs = Stacks?.[0]?.Outputs?.map(({ OutputKey, OutputValue }) => [
      OutputKey,
      OutputValue,
    ]);
    expect(Object.fromEntries(outputs ?? [])).toEqual(granted.outputs);
  });

  it('refuses a function that may not describe the stack', async () => {
    const refused = probe.send(new DescribeStacksCommand({ StackName: 'Other' }));

    await expect(refused).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringContaining('cloudformation:DescribeStacks'),
    });
  });

  it('knows no other stack and no other operation', async () => {
    await expect(
      administrator.send(new DescribeStacksCommand({ StackName: 'Other' })),
    ).rejects.toMatchObject({
      name: 'ValidationError',
      message: 'Stack with id Other does not exist',
    });
    await expect(
      administrator.send(new DescribeStackResourcesCommand({ StackName: granted.name })),
    ).rejects.toMatchObject({ name: 'InvalidAction' });
  });
});
