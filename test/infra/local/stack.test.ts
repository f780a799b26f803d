import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Backstage,
  type LocalOptions,
  type LocalStack,
  startLocal,
} from '../../../infra/local/stack.ts';
import type { StackModel } from '../../../infra/local/template/model.ts';
import { synthesiseFixture } from './fixture/app.ts';
import { act, putThing } from './fixture/client.ts';

let assembly: string;
let directory: string;
let log: string[];
const stacks: LocalStack[] = [];

beforeAll(() => {
  assembly = synthesiseFixture();
});

afterAll(() => rmSync(join(assembly, '..'), { recursive: true }));

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'local-stack-'));
  log = [];
});

afterEach(async () => {
  for (const stack of stacks.splice(0)) await stack.close();
  rmSync(directory, { recursive: true });
});

const start = async (options: Partial<LocalOptions> = {}): Promise<LocalStack> => {
  const stack = await startLocal({
    assembly,
    port: 0,
    data: ':memory:',
    onLog: (_, line) => log.push(line),
    ...options,
  });
  stacks.push(stack);
  return stack;
};

/** Writes one item before any request can. */
const seedThing = async ({ endpoints, tables }: Backstage, pk: string): Promise<void> => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const { dynamodb: endpoint } = endpoints;
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  const Item = { pk: { S: pk }, sk: { S: '1' }, size: { S: 'm' } };
  await client.send(new PutItemCommand({ TableName: tables['THINGS_TABLE'], Item }));
  client.destroy();
};

const things = async ({ endpoints, tables }: LocalStack): Promise<unknown[]> => {
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const client = new DynamoDBClient({
    endpoint: endpoints.dynamodb,
    region: 'us-east-1',
    credentials,
  });
  const { Items = [] } = await client.send(new ScanCommand({ TableName: tables['THINGS_TABLE'] }));
  client.destroy();
  return Items.map(({ pk }) => pk?.S);
};

/** The model with everything about each role taken away. */
const withoutGrants = (model: StackModel): StackModel => ({ ...model, roles: {} });

describe('a stack', () => {
  it('answers through its function, in its role', async () => {
    const stack = await start();

    const written = await putThing(stack, 'a');
    const denied = await act(stack, {
      service: 'DYNAMODB',
      target: 'DynamoDB_20120810.Scan',
      body: { TableName: stack.tables['THINGS_TABLE'] },
    });

    expect(written.status).toBe(200);
    expect(denied).toMatchObject({
      status: 400,
      body: { Message: expect.stringContaining('dynamodb:Scan') },
    });
    expect(await things(stack)).toEqual(['a']);
  });

  it('gives a function its secret', async () => {
    const stack = await start({ tokens: 'one,two' });
    const { id, arn } = Object.values(stack.model.secrets)[0] ?? { id: '', arn: '' };
    const read = () =>
      act(stack, {
        service: 'SECRETS_MANAGER',
        target: 'secretsmanager.GetSecretValue',
        body: { SecretId: arn },
      });

    const before = await read();
    await stack.secrets.put(id, 'three');
    const after = await read();

    expect([before.body.SecretString, after.body.SecretString]).toEqual(['one,two', 'three']);
    expect(await stack.secrets.get(id)).toBe('three');
  });

  it('logs what the gateway refuses, with the id that the client got', async () => {
    const stack = await start();

    const response = await fetch(`${stack.url}/nothing`);

    expect(response.status).toBe(404);
    expect(JSON.parse(log[0] ?? '')).toEqual({
      path: '/nothing',
      status: '404',
      type: 'MISSING_AUTHENTICATION_TOKEN',
      id: response.headers.get('x-amzn-requestid'),
    });
  });

  it('may be changed before it starts', async () => {
    const stack = await start({ transform: withoutGrants });

    expect(await putThing(stack, 'a')).toMatchObject({ status: 400 });
  });

  it('fails like API Gateway where a function crashes', async () => {
    const stack = await start();

    const response = await fetch(`${stack.url}/act`, {
      method: 'POST',
      body: JSON.stringify({ misbehave: 'exit' }),
    });

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: 'Internal server error' });
  });

  it('runs beside another one with data of its own', async () => {
    const [left, right] = await Promise.all([start(), start()]);

    await Promise.all([putThing(left, 'left'), putThing(right, 'right')]);

    expect(left.url).not.toBe(right.url);
    expect(await things(left)).toEqual(['left']);
    expect(await things(right)).toEqual(['right']);
  });

  it('uses the engine that it is given, with the tables that are there', async () => {
    const other = await start();
    const stack = await start({ dynamodbEndpoint: other.endpoints.dynamodb });

    await putThing(stack, 'shared');

    expect(await things(other)).toEqual(['shared']);
  });
});

describe('a data folder', () => {
  const restart = async (options: Partial<LocalOptions> = {}): Promise<LocalStack> => {
    await stacks.pop()?.close();
    return start({ data: directory, ...options });
  };

  it('keeps tables and secrets', async () => {
    const first = await start({ data: directory, tokens: 'kept' });
    await putThing(first, 'kept');

    const second = await restart();

    const [id = ''] = Object.keys(second.model.secrets);
    expect(await things(second)).toEqual(['kept']);
    expect(await second.secrets.get(id)).toBe('kept');
  });

  it('starts with an empty list of tokens', async () => {
    const stack = await start({ data: directory });

    const [id = ''] = Object.keys(stack.model.secrets);
    expect(await stack.secrets.get(id)).toBe(',');
  });

  it('is filled once', async () => {
    let seeds = 0;
    const seed = async (stack: Backstage): Promise<void> => {
      seeds += 1;
      await seedThing(stack, 'seed');
    };

    await start({ data: directory, seed });
    const again = await restart({ seed });

    expect(seeds).toBe(1);
    expect(await things(again)).toEqual(['seed']);
  });

  it('is filled anew after a first start that failed half-way', async () => {
    const seed = async (stack: Backstage): Promise<void> => {
      await seedThing(stack, 'half');
      throw new Error('cut short');
    };
    await expect(start({ data: directory, seed })).rejects.toThrow('cut short');

    const stack = await start({ data: directory });

    expect(await things(stack)).toEqual([]);
  });

  it('serves one stack at a time', async () => {
    await start({ data: directory });

    await expect(start({ data: directory })).rejects.toThrow(
      /is in use by another running instance$/,
    );
  });

  const addIndex = (model: StackModel): StackModel => ({
    ...model,
    tables: Object.fromEntries(
      Object.entries(model.tables).map(([id, table]) => [id, { ...table, localIndexes: [] }]),
    ),
  });
  const removeStream = (model: StackModel): StackModel => ({
    ...model,
    tables: Object.fromEntries(
      Object.entries(model.tables).map(([id, { streamViewType: _, ...table }]) => [id, table]),
    ),
  });
  const rename = (model: StackModel): StackModel => ({
    ...model,
    tables: Object.fromEntries(
      Object.entries(model.tables).map(([id, table]) => [id, { ...table, name: 'Renamed' }]),
    ),
  });

  it.each([
    ['other indexes', addIndex, 'has other keys, indexes or stream'],
    ['no stream', removeStream, 'has other keys, indexes or stream'],
    ['other tables', rename, "is not one of this version's"],
  ])('of a version with %s is refused in one line', async (_, transform, why) => {
    await start({ data: directory });

    const refused = restart({ transform });

    await expect(refused).rejects.toThrow(why);
    await expect(refused).rejects.toThrow(/^[^\n]*delete it to start anew[^\n]*$/);
  });
});

describe('a port in use', () => {
  it('is refused in one line, and leaves nothing running', async () => {
    const { url } = await start();
    const { port } = new URL(url);

    const refused = start({ data: directory, port: Number(port) });

    await expect(refused).rejects.toThrow(`port ${port} is in use by another program`);
    await start({ data: directory });
  });
});
