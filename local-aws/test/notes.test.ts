import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type LocalStack, startStack, synthesise } from '@package-registry/local-aws';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually } from './eventually.ts';

/** App of another project, which uses only the public API. */
const project = fileURLToPath(new URL('./notes', import.meta.url));

/** Visibility timeout of the app's queue, in milliseconds. */
const hiddenMs = 60_000;

let directory: string;
let stack: LocalStack;
let key: string;
const log: string[] = [];

/** Returns the logical id of the construct with this id. */
const findId = (parts: object, constructId: string): string =>
  Object.keys(parts).find((id) => id.startsWith(constructId)) ?? '';

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'notes-test-'));
  // The project uses ES modules; the bundles do not.
  writeFileSync(join(directory, 'package.json'), '{"type": "module"}');
  const assembly = join(directory, 'assembly');
  const context = { welcome: 'Hello from the test' };
  await synthesise({ project, assembly, environment: process.env, context });
  const onLog = (_: string, line: string): number => log.push(line);
  stack = await startStack({ assembly, data: ':memory:', port: 0, onLog });
  key = await stack.secrets.get(findId(stack.model.secrets, 'Key'));
});

afterAll(async () => {
  await stack?.close();
  rmSync(directory, { recursive: true });
});

const send = (method: string, path: string, body?: string): Promise<Response> =>
  fetch(`${stack.url}${path}`, {
    method,
    headers: { 'X-Key': key },
    ...(body !== undefined && { body }),
  });

afterEach(() => {
  vi.useRealTimers();
});

const readText = async (path: string): Promise<string> => (await send('GET', path)).text();

describe('an app of another project', () => {
  it('keeps what is put under a greedy path', async () => {
    const put = await send('PUT', '/files/a/b%20c/d', 'one');
    const got = await send('GET', '/files/a/b%20c/d');

    expect([put.status, got.status, await got.text()]).toEqual([201, 200, 'one']);
  });

  it('answers HEAD with the length of the note', async () => {
    await send('PUT', '/files/head', 'seven b');

    const found = await send('HEAD', '/files/head');
    const missing = await send('HEAD', '/files/nothing');

    expect([found.status, missing.status]).toEqual([200, 404]);
    expect(found.headers.get('content-length')).toBe('7');
    expect(await found.text()).toBe('');
  });

  it('deletes', async () => {
    await send('PUT', '/files/gone', 'one');

    const deleted = await send('DELETE', '/files/gone');
    const { status } = await send('GET', '/files/gone');

    expect([deleted.status, status]).toEqual([204, 404]);
  });

  it('lets only in who knows its secret, whose value was made up by its rules', async () => {
    const { status } = await fetch(`${stack.url}/files/a`, { method: 'PUT', body: 'two' });

    expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(status).toBe(401);
  });

  it('has what its custom resource wrote, with the context of whoever started it', async () => {
    expect(await readText('/files/welcome/note')).toBe('Hello from the test');
  });

  it('has its changes recorded by way of the stream', async () => {
    await send('PUT', '/files/changed', 'one');
    await send('PUT', '/files/changed', 'two');

    await eventually(async () =>
      expect((await readText('/changes')).split('\n')).toContain('changed MODIFY'),
    );
  });

  it('finds in its queue what the stream could not deliver', async () => {
    await send('PUT', '/files/bad', 'one');

    const queue = stack.queues[findId(stack.queues, 'Failures')];
    await eventually(() => expect(queue?.messages).toHaveLength(1));
    expect(JSON.parse(queue?.messages[0]?.body ?? '')).toMatchObject({
      requestContext: { condition: 'RetryAttemptsExhausted' },
    });
    expect(log.join('\n')).toContain('a bad note');
  });

  it('is swept when its schedule runs, by way of a queue that drives another function', async () => {
    await send('PUT', '/files/tmp/a', 'one');
    await send('PUT', '/files/tmp/bad', 'one');
    await send('PUT', '/files/kept', 'one');

    await stack.runSchedule(findId(stack.model.schedules, 'Hourly'));

    await eventually(async () => expect((await send('GET', '/files/tmp/a')).status).toBe(404));
    expect((await send('GET', '/files/kept')).status).toBe(200);
    const swept = stack.queues[findId(stack.queues, 'Swept')];
    const unswept = stack.queues[findId(stack.queues, 'Unswept')];
    // Only then is the first batch done with, so that none of its other messages becomes visible again.
    await eventually(() => expect(swept?.messages).toMatchObject([{ body: 'tmp/bad' }]));
    await eventually(() => expect(swept?.count()).toMatchObject({ visible: 0, handedOut: 1 }));
    // The failed message is visible again, and a new message wakes the queue's reader.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hiddenMs });
    swept?.send('tmp/none');
    await eventually(() => expect(unswept?.messages).toMatchObject([{ body: 'tmp/bad' }]));
    await eventually(() => expect(swept?.messages).toEqual([]));
  });
});

describe('the program of the README', () => {
  const program = join(project, 'serve.ts');

  it('is the one that is tested', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

    expect(readme).toContain(`\`\`\`ts\n${readFileSync(program, 'utf8')}\`\`\``);
  });

  it('serves the app until it is interrupted', async () => {
    const child = spawn(process.execPath, [program, '0'], {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const url = String(line).replace('listening on ', '');

    const text = await (await fetch(`${url}/files/welcome/note`)).text();
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');

    expect([text, code]).toEqual(['Hello', 0]);
  });
});
