import { GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import type { FunctionCall } from '../src/aws/aws-proxy.ts';
import { Key, put, query, TableName, useAws } from './fixture/aws.ts';

const aws = useAws();

describe('whoever reads streams', () => {
  it('is told of each write, and of nothing else', async () => {
    aws.writes = 0;

    await aws.asAdministrator.send(put);
    await aws.asProbe.send(new QueryCommand(query));
    await aws.asProbe.send(new GetItemCommand({ TableName, Key })).catch(() => undefined);
    await aws.asProbe.send(put);

    expect(aws.writes).toBe(2);
  });
});

describe('a hook', () => {
  it('sees each call of a function and its answer, but not the administrator’s', async () => {
    const seen: FunctionCall[] = [];
    const bodies: unknown[] = [];
    aws.hooks.onRequest = (call) => void seen.push(call);
    aws.hooks.onResponse = (_, { body }) => void bodies.push(JSON.parse(body));

    await aws.asAdministrator.send(put);
    await aws.asProbe.send(new QueryCommand({ ...query, ReturnConsumedCapacity: 'TOTAL' }));

    expect(seen).toMatchObject([
      { functionId: 'Probe', service: 'dynamodb', operation: 'Query', body: { TableName } },
    ]);
    expect(bodies).toMatchObject([{ Count: 1, ConsumedCapacity: { CapacityUnits: 0.5 } }]);
  });

  it('may answer in the engine’s place', async () => {
    aws.hooks.onRequest = async () => ({
      status: 400,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: '{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":"slow"}',
    });

    await expect(aws.asProbe.send(put)).rejects.toMatchObject({ name: 'ThrottlingException' });
  });

  it('is not asked about what is denied', async () => {
    aws.hooks.onRequest = () => {
      throw new Error('asked');
    };

    const request = aws.asProbe.send(new GetItemCommand({ TableName, Key }));

    await expect(request).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  it('may lose the answer after the engine has done what it was asked', async () => {
    const Item = { ...Key, sk: { S: 'lost' } };
    aws.hooks.afterForward = () => 'drop';

    const request = aws.asProbe.send(new PutItemCommand({ TableName, Item }));

    await expect(request).rejects.toThrow();
    const kept = await aws.asAdministrator.send(
      new GetItemCommand({ TableName, Key: Item, ConsistentRead: true }),
    );
    expect(kept.Item).toEqual(Item);
  });
});
