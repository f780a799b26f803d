import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { startKeyedEngine } from '../../local-aws/test/fixture/keyed-engine.ts';

interface Running {
  readonly process: ChildProcess;
  readonly url: string;
}

describe('npm start', () => {
  let folder: string;
  const started: ChildProcess[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'package-registry-start-'));
    // An assembly that was made of the same code is kept; the test of the command line begins without one.
    cpSync(inject('assembly'), join(folder, 'assembly'), { recursive: true });
  });
  afterEach(async () => {
    for (const process of started.splice(0)) {
      if (process.exitCode !== null || process.signalCode !== null) continue;
      process.kill('SIGTERM');
      await once(process, 'exit');
    }
    rmSync(folder, { recursive: true });
  });

  const start = async (flags: readonly string[] = [], variables = {}): Promise<Running> => {
    const args = ['infra/local/main.ts', '--port', '0', '--data', folder, ...flags];
    const env = { ...process.env, ...variables };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    started.push(child);
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(line)?.[1];
      if (!url) continue;
      await fetch(url);
      child.stdout.resume();
      return { process: child, url };
    }
    throw new Error('It ended before it listened');
  };

  const stop = async ({ process: child }: Running): Promise<void> => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };

  const list = async (url: string, query = '') =>
    (await (await fetch(`${url}/api/v1/packages${query}`)).json()) as {
      packages: { name: string; status: string }[];
      total: number;
    };

  it('serves the demo data, in all states', async () => {
    const { url } = await start();

    const { packages, total } = await list(url, '?limit=1000');
    const scan = await fetch(
      `${url}/api/v1/security/scans/org.apache.logging.log4j:log4j-core?version=2.14.1`,
    );

    expect(total).toBeGreaterThanOrEqual(40);
    expect(new Set(packages.map(({ status }) => status))).toEqual(
      new Set(['pending', 'approved', 'rejected']),
    );
    expect(JSON.stringify(await scan.json())).toContain('CVE-2021-44228');
    expect((await fetch(`${url}/api/v1/licenses/Apache-2.0`)).status).toBe(200);
    const check = spawnSync(
      process.execPath,
      ['infra/check-integrity.ts', '--data', folder, '--repair'],
      { encoding: 'utf8' },
    );
    expect(check).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^Checked [\d,]+ rows, 4\d versions, .*\nNo problems found\.\n$/,
      ),
    });
  });

  it('loses nothing that was acknowledged to kill -9', async () => {
    const first = await start(['--no-demo']);
    const acknowledged: string[] = [];
    let stopped = false;
    const writer = async (id: number): Promise<void> => {
      for (let at = 0; !stopped; at += 1) {
        const name = `written-${id}-${at}`;
        const answer = await fetch(`${first.url}/api/v1/packages`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ ecosystem: 'npm', name, version: '1.0.0' }),
        }).catch(() => undefined);
        if (!answer) return;
        if (answer.status === 201) acknowledged.push(name);
      }
    };
    const writers = [0, 1, 2, 3].map(writer);
    await expect.poll(() => acknowledged.length).toBeGreaterThan(100);

    first.process.kill('SIGKILL');
    stopped = true;
    await Promise.all(writers);
    const second = await start(['--no-demo']);

    const { packages } = await list(second.url, '?limit=1000');
    const kept = new Set(packages.map(({ name }) => name));
    expect(acknowledged.filter((name) => !kept.has(name))).toEqual([]);
  });

  it('serves the demo data from a DynamoDB Local, and again when it is started again', async () => {
    const engine = await startKeyedEngine();
    const variables = { DYNAMODB_ENDPOINT: engine.url };
    const first = await start(['--offline'], variables);
    const { total } = await list(first.url);
    await stop(first);

    const second = await start(['--offline'], variables);

    expect(total).toBeGreaterThanOrEqual(40);
    expect((await list(second.url)).total).toBe(total);
    await stop(second);
    await engine.close();
  });

  it('keeps the tokens of the data folder, unless told others', async () => {
    const token = 'a-token-of-more-than-thirty-two-characters';
    const authentication = async (url: string): Promise<string> =>
      ((await (await fetch(url)).json()) as { authentication: string }).authentication;
    const open = await start(['--no-demo']);
    const before = await authentication(open.url);
    await stop(open);
    const closed = await start(['--no-demo', '--tokens', token]);
    const set = await authentication(closed.url);
    await stop(closed);
    const kept = await authentication((await start(['--no-demo'])).url);

    expect([before, set, kept]).toEqual(['disabled', 'enabled', 'enabled']);
  });
});
