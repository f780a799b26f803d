import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startEngine } from '../src/engine/dynamodb-engine.ts';
import { type LocalStack, startStack } from '../src/stack/start-stack.ts';
import { eventually } from './eventually.ts';
import { synthesiseFixture } from './fixture/app.ts';
import { putThing } from './fixture/client.ts';

type Served = Pick<LocalStack, 'url' | 'tables' | 'endpoints'>;

const program = fileURLToPath(new URL('./fixture/serve.ts', import.meta.url));

let assembly: string;
let data: string;
const children: ChildProcess[] = [];

beforeAll(() => {
  assembly = synthesiseFixture();
});

afterAll(() => rmSync(join(assembly, '..'), { recursive: true }));

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'durable-'));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(data, { recursive: true });
});

const serve = async (): Promise<{ child: ChildProcess; served: Served }> => {
  const child = spawn(process.execPath, [program, assembly, data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, served: JSON.parse(line) };
};

const kill = async (child: ChildProcess): Promise<void> => {
  child.kill('SIGKILL');
  await once(child, 'exit');
};

const connect = (endpoint: string): DynamoDBClient =>
  new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });

const keysIn = async ({ endpoints, tables }: Served): Promise<Set<string>> => {
  const keys = new Set<string>();
  const client = connect(endpoints.dynamodb);
  for await (const { Items = [] } of paginateScan(
    { client },
    { TableName: tables['THINGS_TABLE'] },
  )) {
    for (const { pk } of Items) keys.add(pk?.S ?? '');
  }
  client.destroy();
  return keys;
};

const isAlive = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );

/** Writes in parallel until the stack ends, and collects the acknowledged writes. */
const writeUntilGone = async (served: Served, acknowledged: string[]): Promise<void> => {
  const write = async (writer: number): Promise<void> => {
    for (let count = 0; ; count += 1) {
      const key = `${writer}-${count}`;
      const written = await putThing(served, key).catch(() => undefined);
      if (written?.status !== 200) return;
      acknowledged.push(key);
    }
  };
  await Promise.all([1, 2, 3, 4].map(write));
};

describe('kill -9', () => {
  it('loses nothing that was acknowledged, and the next start works at once', async () => {
    const { child, served } = await serve();
    const acknowledged: string[] = [];
    const writing = writeUntilGone(served, acknowledged);
    await eventually(() => expect(acknowledged.length).toBeGreaterThan(50));

    await kill(child);
    await writing;
    const stack = await startStack({ assembly, data, port: 0 });

    const kept = await keysIn(stack);
    await stack.close();
    expect(acknowledged.filter((key) => !kept.has(key))).toEqual([]);
  });

  it('takes the engine along', async () => {
    const { child, served } = await serve();
    expect(await isAlive(served.endpoints.dynamodb)).toBe(true);

    await kill(child);

    await eventually(async () => expect(await isAlive(served.endpoints.dynamodb)).toBe(false));
  });

  it('takes a function along that never yields', async () => {
    const { child, served } = await serve();
    const pid = await loopingInstance(served);

    await kill(child);

    await eventually(() => expect(isRunning(pid)).toBe(false));
  });
});

/** Returns the state of a process from ps, such as `R` for running. Returns an empty text for an unknown process. */
const stateOf = (pid: number): string =>
  spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout;

/** True if the process runs. A killed process may stay listed as a zombie until init collects it. */
const isRunning = (pid: number): boolean => /^[^Z]/.test(stateOf(pid));

/** Starts an endless loop in an instance. Resolves to its process id. */
const loopingInstance = async ({ url }: Served): Promise<number> => {
  const ask = (body: object) => fetch(`${url}/act`, { method: 'POST', body: JSON.stringify(body) });
  const { pid } = (await (await ask({ act: 'count' })).json()) as { pid: number };
  ask({ misbehave: 'loop' }).catch(() => undefined);
  await eventually(() => expect(stateOf(pid)).toMatch(/^R/));
  return pid;
};

describe('an engine that was left behind', () => {
  it('on the same file breaks neither the next start nor the data', async () => {
    const first = await startStack({ assembly, data, port: 0 });
    await putThing(first, 'before');
    await first.close();
    const file = join(data, 'dynamodb.sqlite');
    const left = await startEngine({ file, onFailure: () => undefined });

    const second = await startStack({ assembly, data, port: 0 });
    const stale = connect(left.endpoint);
    const TableName = second.tables['THINGS_TABLE'];
    const Item = { pk: { S: 'stale' }, sk: { S: '1' } };
    await Promise.all([
      putThing(second, 'after'),
      stale.send(new PutItemCommand({ TableName, Item })),
    ]);
    await left.stop();

    expect(await keysIn(second)).toEqual(new Set(['before', 'after', 'stale']));
    await second.close();
    const database = new DatabaseSync(file);
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    database.close();
  });
});

/** Returns the process id of the engine at this endpoint. */
const findEngine = (endpoint: string): number => {
  const all = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' }).stdout.split('\n');
  const engine = all.find((line) => line.includes(`--port ${new URL(endpoint).port}`));
  return Number.parseInt(engine ?? '', 10);
};

describe('an engine that dies', () => {
  it('is reported', async () => {
    const failures: Error[] = [];
    const engine = await startEngine({
      onFailure: (error) => failures.push(error),
    });

    process.kill(findEngine(engine.endpoint), 'SIGKILL');

    await eventually(() => expect(failures).toHaveLength(1));
    expect(failures[0]?.message).toBe('the DynamoDB engine ended: SIGKILL');
    await engine.stop();
  });
});
