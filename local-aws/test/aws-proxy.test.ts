import {
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { secretArn, tableArn } from '../src/template/names.ts';
import { Key, put, query, TableName, useAws } from './fixture/aws.ts';

const aws = useAws();

describe('a function', () => {
  it('does what its role allows', async () => {
    await aws.asProbe.send(put);

    const { Items } = await aws.asProbe.send(new QueryCommand(query));

    expect(Items).toEqual([{ ...Key, size: { S: 'm' } }]);
  });

  it.each<[string, () => Promise<unknown>, string, string]>([
    [
      'another action',
      () => aws.asProbe.send(new GetItemCommand({ TableName, Key })),
      'dynamodb:GetItem',
      tableArn(TableName),
    ],
    [
      'an index of a table it may use',
      () => aws.asProbe.send(new QueryCommand({ ...query, IndexName: 'by-size' })),
      'dynamodb:Query',
      `${tableArn(TableName)}/index/by-size`,
    ],
    [
      'another table',
      () => aws.asProbe.send(new PutItemCommand({ TableName: 'Other', Item: Key })),
      'dynamodb:PutItem',
      tableArn('Other'),
    ],
    [
      'a transaction with one item too many',
      () =>
        aws.asProbe.send(
          new TransactWriteItemsCommand({
            TransactItems: [
              { Put: { TableName, Item: Key } },
              { Delete: { TableName, Key: { ...Key, sk: { S: '2' } } } },
            ],
          }),
        ),
      'dynamodb:DeleteItem',
      tableArn(TableName),
    ],
    [
      'the old item of a failed condition, which is a read',
      () =>
        aws.asProbe.send(
          new UpdateItemCommand({
            TableName,
            Key,
            ConditionExpression: 'attribute_not_exists(pk)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      'dynamodb:GetItem',
      tableArn(TableName),
    ],
  ])('is denied %s', async (_, request, action, resource) => {
    await expect(request()).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: `User: arn:aws:sts::000000000000:assumed-role/Role/Probe is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`,
    });
  });

  it('reads the secret that it may read, and no other', async () => {
    const secrets = new SecretsManagerClient({
      endpoint: aws.endpoint,
      region: 'us-east-1',
      credentials: aws.principals.getCredentials('Probe'),
    });

    const allowed = await secrets.send(
      new GetSecretValueCommand({ SecretId: secretArn('Password') }),
    );
    const denied = secrets.send(new GetSecretValueCommand({ SecretId: secretArn('Other') }));

    expect(allowed.SecretString).toBe('a,b');
    await expect(denied).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  it('gets the engine’s own errors', async () => {
    const request = aws.asProbe.send(
      new UpdateItemCommand({ TableName, Key, ConditionExpression: 'attribute_exists(nothing)' }),
    );

    await expect(request).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  });

  it('is no one with an unknown key', async () => {
    const stranger = aws.connect({ ...aws.principals.administrator, accessKeyId: 'ASIAUNKNOWN' });

    await expect(stranger.send(put)).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
  });

  it('is no one without a signature', async () => {
    const response = await fetch(aws.endpoint, { method: 'POST', body: '{}' });

    expect(await response.json()).toMatchObject({
      __type: expect.stringContaining('MissingAuthenticationTokenException'),
    });
  });
});
