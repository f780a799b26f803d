import {
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type AwsHooks,
  type FunctionCall,
  startAwsProxy,
} from '../../../infra/local/aws/aws-proxy.ts';
import { type Credentials, createPrincipals } from '../../../infra/local/aws/principals.ts';
import { openSecretStore } from '../../../infra/local/aws/secret-store.ts';
import { createSecretsManager } from '../../../infra/local/aws/secrets-manager.ts';
import { startEngine } from '../../../infra/local/engine/dynamodb-engine.ts';
import { prepareTables } from '../../../infra/local/engine/tables.ts';
import { startWatchdog } from '../../../infra/local/engine/watchdog.ts';
import type { StackModel } from '../../../infra/local/template/model.ts';
import { secretArn, tableArn } from '../../../infra/local/template/names.ts';
import { model, things } from './fixture/model.ts';

const granted: StackModel = {
  ...model,
  roles: {
    Role: [
      {
        effect: 'Allow',
        actions: ['dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
        resources: [tableArn('Things')],
      },
      {
        effect: 'Allow',
        actions: ['secretsmanager:GetSecretValue'],
        resources: [secretArn('Tokens')],
      },
    ],
  },
};

const hooks: AwsHooks = {};
let writes = 0;
const closers: (() => unknown)[] = [];
const principals = createPrincipals(granted);
let endpoint: string;
let asProbe: DynamoDBClient;
let asAdministrator: DynamoDBClient;

const client = (credentials: Credentials): DynamoDBClient =>
  new DynamoDBClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1 });

beforeAll(async () => {
  const watchdog = startWatchdog();
  const engine = await startEngine({ watchdog, onFailure: () => undefined });
  await prepareTables([things], { endpoint: engine.endpoint, shared: false });
  const store = await openSecretStore(undefined);
  for (const name of ['Tokens', 'Other']) {
    store.add({ name, arn: secretArn(name), versions: {}, createdAt: 0, changedAt: 0 });
  }
  const secretsManager = createSecretsManager(store);
  await secretsManager.handle('PutSecretValue', { SecretId: 'Tokens', SecretString: 'a,b' });
  const proxy = await startAwsProxy({
    dynamodb: engine.endpoint,
    secretsManager,
    principals,
    hooks,
    onWrite: () => {
      writes += 1;
    },
  });
  endpoint = proxy.url;
  asProbe = client(principals.credentialsOf('Probe'));
  asAdministrator = client(principals.administrator);
  closers.push(proxy.close, engine.stop, watchdog.close);
});

afterAll(async () => {
  for (const close of closers) await close();
});

afterEach(() => {
  hooks.onRequest = undefined;
  hooks.afterForward = undefined;
  hooks.onResponse = undefined;
});

const TableName = 'Things';
const Key = { pk: { S: 'a' }, sk: { S: '1' } };
const put = new PutItemCommand({ TableName, Item: { ...Key, size: { S: 'm' } } });
const query = {
  TableName,
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': { S: 'a' } },
};

describe('a function', () => {
  it('does what its role allows', async () => {
    await asProbe.send(put);

    const { Items } = await asProbe.send(new QueryCommand(query));

    expect(Items).toEqual([{ ...Key, size: { S: 'm' } }]);
  });

  it.each<[string, () => Promise<unknown>, string, string]>([
    [
      'another action',
      () => asProbe.send(new GetItemCommand({ TableName, Key })),
      'dynamodb:GetItem',
      tableArn(TableName),
    ],
    [
      'an index of a table it may use',
      () => asProbe.send(new QueryCommand({ ...query, IndexName: 'by-size' })),
      'dynamodb:Query',
      `${tableArn(TableName)}/index/by-size`,
    ],
    [
      'another table',
      () => asProbe.send(new PutItemCommand({ TableName: 'Other', Item: Key })),
      'dynamodb:PutItem',
      tableArn('Other'),
    ],
    [
      'a transaction with one item too many',
      () =>
        asProbe.send(
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
        asProbe.send(
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
      endpoint,
      region: 'us-east-1',
      credentials: principals.credentialsOf('Probe'),
    });

    const allowed = await secrets.send(
      new GetSecretValueCommand({ SecretId: secretArn('Tokens') }),
    );
    const denied = secrets.send(new GetSecretValueCommand({ SecretId: secretArn('Other') }));

    expect(allowed.SecretString).toBe('a,b');
    await expect(denied).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  it('gets the engine’s own errors', async () => {
    const request = asProbe.send(
      new UpdateItemCommand({ TableName, Key, ConditionExpression: 'attribute_exists(nothing)' }),
    );

    await expect(request).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  });

  it('is no one with an unknown key', async () => {
    const stranger = client({ ...principals.administrator, accessKeyId: 'ASIAUNKNOWN' });

    await expect(stranger.send(put)).rejects.toMatchObject({ name: 'UnrecognizedClientException' });
  });

  it('is no one without a signature', async () => {
    const response = await fetch(endpoint, { method: 'POST', body: '{}' });

    expect(await response.json()).toMatchObject({
      __type: expect.stringContaining('MissingAuthenticationTokenException'),
    });
  });
});

describe('whoever reads streams', () => {
  it('is told of each write, and of nothing else', async () => {
    writes = 0;

    await asAdministrator.send(put);
    await asProbe.send(new QueryCommand(query));
    await asProbe.send(new GetItemCommand({ TableName, Key })).catch(() => undefined);
    await asProbe.send(put);

    expect(writes).toBe(2);
  });
});

describe('a hook', () => {
  it('sees each call of a function and its answer, but not the administrator’s', async () => {
    const seen: FunctionCall[] = [];
    const bodies: unknown[] = [];
    hooks.onRequest = (call) => void seen.push(call);
    hooks.onResponse = (_, { body }) => void bodies.push(JSON.parse(body));

    await asAdministrator.send(put);
    await asProbe.send(new QueryCommand({ ...query, ReturnConsumedCapacity: 'TOTAL' }));

    expect(seen).toMatchObject([
      { functionId: 'Probe', service: 'dynamodb', operation: 'Query', body: { TableName } },
    ]);
    expect(bodies).toMatchObject([{ Count: 1, ConsumedCapacity: { CapacityUnits: 0.5 } }]);
  });

  it('may answer in the engine’s place', async () => {
    hooks.onRequest = async () => ({
      status: 400,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: '{"__type":"com.amazonaws.dynamodb.v20120810#ThrottlingException","message":"slow"}',
    });

    await expect(asProbe.send(put)).rejects.toMatchObject({ name: 'ThrottlingException' });
  });

  it('is not asked about what is denied', async () => {
    hooks.onRequest = () => {
      throw new Error('asked');
    };

    const request = asProbe.send(new GetItemCommand({ TableName, Key }));

    await expect(request).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  it('may lose the answer after the engine has done what it was asked', async () => {
    const Item = { ...Key, sk: { S: 'lost' } };
    hooks.afterForward = () => 'drop';

    const request = asProbe.send(new PutItemCommand({ TableName, Item }));

    await expect(request).rejects.toThrow();
    const kept = await asAdministrator.send(
      new GetItemCommand({ TableName, Key: Item, ConsistentRead: true }),
    );
    expect(kept.Item).toEqual(Item);
  });
});
