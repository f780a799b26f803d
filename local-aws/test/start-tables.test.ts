import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { importTables, type RunningTables, startTables } from '@package-registry/local-aws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { things as table } from './fixture/model.ts';

const TableName = table.name;
const Key = { pk: { S: 'a' }, sk: { S: '1' } };

let directory: string;
const started: RunningTables[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tables-'));
});

afterEach(async () => {
  for (const { close } of started.splice(0)) await close();
  rmSync(directory, { recursive: true });
});

/** Starts the tables and returns a client for them. */
const start = async (file?: string): Promise<DynamoDBClient> => {
  const tables = await startTables([table], file === undefined ? {} : { file });
  started.push(tables);
  const { endpoint, region, credentials } = tables;
  return new DynamoDBClient({ endpoint, region, credentials });
};

const restart = async (file: string): Promise<DynamoDBClient> => {
  await started.pop()?.close();
  return start(file);
};

describe('tables by themselves', () => {
  it('hold what is put into them', async () => {
    const client = await start();

    await client.send(new PutItemCommand({ TableName, Item: Key }));
    const { Item } = await client.send(new GetItemCommand({ TableName, Key }));

    expect(Item).toEqual(Key);
  });

  it('keep it in their file', async () => {
    const file = join(directory, 'tables.sqlite');
    const first = await start(file);
    await first.send(new PutItemCommand({ TableName, Item: Key }));

    const second = await restart(file);
    const { Item } = await second.send(new GetItemCommand({ TableName, Key }));

    expect(Item).toEqual(Key);
  });

  it('are refused with a file that holds others', async () => {
    const file = join(directory, 'tables.sqlite');
    await start(file);
    await started.pop()?.close();

    const starting = startTables([{ ...table, name: 'Others' }], { file });

    await expect(starting).rejects.toThrow("table Things is not one of this version's");
  });

  it('can be imported as DynamoDB exports them', async () => {
    const client = await start();
    const { Table } = await client.send(new DescribeTableCommand({ TableName }));
    const schema = join(directory, 'schema.json');
    const data = join(directory, 'export', TableName, 'data');
    const output = join(directory, 'imported.sqlite');
    writeFileSync(schema, JSON.stringify([{ Table }]));
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, '0.json.gz'), gzipSync(`${JSON.stringify({ Item: Key })}\n`));

    await importTables({ source: join(directory, 'export'), schema, output });

    const imported = await restart(output);
    const { Item } = await imported.send(new GetItemCommand({ TableName, Key }));
    expect(Item).toEqual(Key);
  });

  it('are not imported from what is no export, which the engine explains', async () => {
    const options = { source: directory, schema: join(directory, 'none'), output: directory };

    await expect(importTables(options)).rejects.toThrow(/^the engine's import failed: .+/);
  });
});
