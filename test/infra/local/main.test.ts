import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { openDataFolder } from '@package-registry/local-aws';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { parseFlags, UsageError } from '../../../infra/local/flags.ts';

const program = fileURLToPath(new URL('../../../infra/local/main.ts', import.meta.url));

let directory: string;
let started: ChildProcess | undefined;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'main-'));
});

afterEach(() => {
  started?.kill('SIGKILL');
  rmSync(directory, { recursive: true });
});

const start = (command: string, args: readonly string[]) => {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  started = child;
  return child;
};

const spawnMain = (...args: string[]) => start(process.execPath, [program, ...args]);

/** Runs the program until it exits. */
const runMain = async (...args: string[]): Promise<{ code: number; out: string; err: string }> => {
  const child = spawnMain(...args);
  const [[code], out, err] = await Promise.all([
    once(child, 'exit'),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, out, err };
};

describe('the command line', () => {
  it('has defaults', () => {
    expect(parseFlags([])).toEqual({
      port: 3000,
      data: '.registry',
      tokens: undefined,
      demo: true,
      offline: false,
      events: false,
      settings: {},
      help: false,
    });
  });

  it.each([
    ['two words', 'has malformed entries only, at 1'],
    ['ok,label:', 'has malformed entries, at 2'],
    ['ci/sumbit:ok,ci/submit:ok', 'has malformed entries, at 1'],
    ['{"port": 5432, "token": "x"}', 'is JSON'],
    [' ', 'is blank'],
  ])('rejects the token list %j in one line', (list, fault) => {
    expect(() => parseFlags(['--tokens', list])).toThrow(`--tokens ${fault}`);
  });

  it('accepts every flag', () => {
    const args = [
      '--port',
      '0',
      '--data',
      ':memory:',
      '--tokens',
      'a,b',
      '--no-demo',
      '--offline',
      '--events',
      ...['-c', 'fourEyes=true', '--context', 'tags={"a":"b=c"}', '-c', 'fourEyes=false'],
      '--help',
    ];

    expect(parseFlags(args)).toEqual({
      port: 0,
      data: ':memory:',
      tokens: 'a,b',
      demo: false,
      offline: true,
      events: true,
      settings: { fourEyes: 'false', tags: '{"a":"b=c"}' },
      help: true,
    });
  });

  it.each([
    [['--prot', '1'], '--prot'],
    [['--port'], '--port'],
    [['--port', 'x'], '--port must be a number'],
    [['--port', '65536'], '--port must be a number'],
    [['--data='], '--data'],
    [['-c', 'fourEyes'], '-c must be KEY=VALUE'],
    [['-c', '=true'], '-c must be KEY=VALUE'],
    [['--tokens='], '","'],
    [['extra'], 'extra'],
  ])('rejects %j in one line', (args, message) => {
    const parse = () => parseFlags(args);

    expect(parse).toThrow(UsageError);
    expect(parse).toThrow(message);
    expect(parse).toThrow(/^[^\n]+$/);
  });
});

describe('npm start', () => {
  it('shows its help', async () => {
    const { code, out } = await runMain('--help');

    expect(code).toBe(0);
    expect(out).toContain('--no-demo');
  });

  it('exits with 2 for a wrong flag', async () => {
    const { code, out, err } = await runMain('--prot', '1');

    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^[^\n]+\n$/);
  });

  it('exits with 1 for a wrong setting, before the synthesis', async () => {
    const { code, err } = await runMain('--data', directory, '-c', 'fourEyes=true');

    expect(code).toBe(1);
    expect(err).toMatch(/^Wrong setting: requireTokens is required[^\n]+\n$/);
  });

  it('exits with 1 where the port is in use, before the synthesis', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;

    const { code, err } = await runMain('--port', String(port), '--data', directory);

    server.close();
    expect({ code, err }).toEqual({ code: 1, err: `port ${port} is in use by another program\n` });
  });

  it('exits with 1 where the folder is in use, before the synthesis', async () => {
    const folder = openDataFolder(directory);

    const { code, err } = await runMain('--port', '0', '--data', directory);

    folder.release();
    expect(code).toBe(1);
    expect(err).toBe(`the data folder ${directory} is in use by another running instance\n`);
  });

  it.each(['file', 'file/below', '/proc/nothing'])(
    'exits with 1 where %s cannot be the folder, before the synthesis',
    async (name) => {
      writeFileSync(join(directory, 'file'), '');
      const data = name.startsWith('/') ? name : join(directory, name);

      const { code, err } = await runMain('--port', '0', '--data', data);

      expect(code).toBe(1);
      expect(err).toMatch(/^cannot write to the data folder [^\n]+\n$/);
    },
  );

  /** Returns the printed address, which follows the log of the start. */
  const listeningUrl = async (output: Readable): Promise<string | undefined> => {
    for await (const line of createInterface({ input: output })) {
      const url = /^listening on (http:\/\/127\.0\.0\.1:[0-9]+)$/.exec(line)?.[1];
      if (url) return url;
    }
    return undefined;
  };

  it('serves the registry until a signal stops it', async () => {
    const child = spawnMain('--port', '0', '--data', directory, '--tokens', 'secret');
    const url = await listeningUrl(child.stdout);

    const root = await fetch(`${url}/`);
    const list = await fetch(`${url}/api/v1/packages`);
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');

    expect(await root.json()).toMatchObject({ authentication: 'enabled' });
    expect(await list.json()).toMatchObject({
      packages: expect.arrayContaining([expect.anything()]),
    });
    expect(code).toBe(0);
  });

  it('accepts settings, and ends with npm even if npm is killed', async () => {
    const flags = ['--port', '0', '--data', directory, '--no-demo', '--offline'];
    const npm = start('npm', ['start', '--', ...flags, '-c', 'requireTokens=true']);
    const url = await listeningUrl(npm.stdout);
    npm.stdout.resume();
    npm.stderr.resume();

    const root = await fetch(`${url}/`);
    npm.kill('SIGKILL');
    // Every process of the registry must close the streams that it inherited from npm.
    await once(npm, 'close');

    // Without the setting, an empty list switches authentication off.
    expect(await root.json()).toMatchObject({ authentication: 'enabled' });
    await expect(fetch(`${url}/`)).rejects.toThrow('fetch failed');
  });

  it('prints events and runs rules, also without OSV.dev', async () => {
    // The synthesised stack is reused for the same code; the test above starts without one.
    cpSync(inject('assembly'), join(directory, 'assembly'), { recursive: true });
    const policy = ['-c', 'reviewPolicy=observe@1'];
    const child = spawnMain('--port', '0', '--data', directory, '--offline', '--events', ...policy);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const find = async (pattern: RegExp): Promise<RegExpExecArray> => {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error('It ended');
        const found = pattern.exec(value);
        if (found) return found;
      }
    };
    const [, url] = await find(/^listening on (http:.*)$/);

    const body = JSON.stringify({ ecosystem: 'npm', name: 'left-pad', version: '0.0.9' });
    const headers = { 'Content-Type': 'application/json' };
    const { status } = await fetch(`${url}/api/v1/packages`, { method: 'POST', body, headers });
    const [line] = await find(/^event .*$/);
    const held = async (): Promise<unknown> => {
      const evidence = await fetch(`${url}/api/v1/packages/left-pad/evidence`);
      return ((await evidence.json()) as { held_by: unknown }).held_by;
    };
    await expect.poll(held).toBe('observe');
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');

    expect(status).toBe(201);
    // The demo data is older, so no line shows it.
    expect(line).toMatch(/^event \d+ \S+Z package\.submitted npm left-pad 0\.0\.9: pending$/);
    expect(code).toBe(0);
  });
});
