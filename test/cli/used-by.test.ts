import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attention, recall } from '../../shared/api/openapi/examples/scans.ts';
import { CommandLine, type RunOptions } from '../support/command-line.ts';
import { packagePath, TestRegistry } from '../support/registry.ts';
import { json, problem, type Scene, startScripted } from '../support/scripted-server.ts';

const token = 'a-token-of-more-than-thirty-two-characters';

let registry: TestRegistry;
let commandLine: CommandLine;

const npm = (name: string) => ({ ecosystem: 'npm', name, version: '1.0.0' });
const record = (project: string, owner: string | undefined, ...names: readonly string[]) =>
  registry.post(
    `/api/v1/projects/${project}/snapshots`,
    { ref: 'main', owner, versions: names.map((name) => ({ ...npm(name), direct: true })) },
    { token },
  );
const approve = async (...names: readonly string[]): Promise<void> => {
  for (const name of names) {
    await registry.submit({ ...npm(name), license: 'MIT' }, { token });
    await registry.post(packagePath(name, '/approve'), { expires_in_days: 30 }, { token });
  }
};

beforeAll(async () => {
  registry = await TestRegistry.start({ tokens: `ci:${token}` });
  commandLine = CommandLine.install();
  await approve('used', 'unused', 'first', 'second', 'third', 'fourth');
  await record('shop', 'payments@example.com', 'used', 'first', 'second', 'fourth');
  await record('till', undefined, 'used');
  await record('web', 'shop-team', 'used', 'second');
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const run = (args: readonly string[], options: RunOptions = {}) =>
  commandLine.run(args, {
    ...options,
    env: { REGISTRY_URL: registry.url, REGISTRY_TOKEN: token, ...options.env },
  });

const owners = 'payments@example.com, till, shop-team';

describe('registry expirations', () => {
  it('names the number of projects and their owners', async () => {
    const { stdout } = await run(['expirations']);
    const { stdout: text } = await run(['expirations', '--all', '--json']);

    expect(stdout.split('\n')[0]).toMatch(/^EXPIRES AT +PACKAGE +USED BY$/);
    expect(stdout).toMatch(new RegExp(`npm:used@1.0.0 +3 projects \\(${owners}\\)`));
    expect(stdout).toMatch(/npm:unused@1.0.0$/m);
    const rows = JSON.parse(text).expirations;
    expect(rows.find(({ name }: { name: string }) => name === 'used')).toMatchObject({
      ...{ projects: 3, projects_at_least: false },
      used_by: [
        { project: 'shop', owner: 'payments@example.com' },
        { project: 'till', owner: null },
        { project: 'web', owner: 'shop-team' },
      ],
    });
    expect(rows.find(({ name }: { name: string }) => name === 'unused')).toMatchObject({
      projects: 0,
    });
  });

  it('is as before without a token, and says nothing about projects', async () => {
    const env = { REGISTRY_TOKEN: '' };
    const { code, stdout, stderr } = await run(['expirations'], { env });
    const { stdout: text } = await run(['expirations', '--json'], { env });
    const { stdout: names } = await run(['expirations', '-o', 'name']);

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.split('\n')[0]).toMatch(/^EXPIRES AT +PACKAGE$/);
    expect(text).not.toContain('used_by');
    expect(names).toContain('npm:used@1.0.0\n');
  });
});

describe('registry where --file', () => {
  const write = (text: string): string => {
    const file = join(commandLine.folder, 'versions.txt');
    writeFileSync(file, text);
    return file;
  };

  it('lists the projects of each version', async () => {
    const file = write('npm:used@1.0.0\nnpm:never-submitted@1.0.0\n');

    const { code, stdout } = await run(['where', '--file', file]);
    const { stdout: text } = await run(['where', '-f', file, '--json']);
    const { stdout: names } = await run(['where', '-f', file, '-o', 'name']);

    expect({ code, rows: stdout.trimEnd().split('\n') }).toEqual({
      code: 0,
      rows: [
        'PACKAGE                    USED BY',
        `npm:used@1.0.0             3 projects (${owners})`,
        'npm:never-submitted@1.0.0',
      ],
    });
    expect(JSON.parse(text).packages).toMatchObject([
      { name: 'used', projects: 3 },
      { name: 'never-submitted', projects: 0, used_by: [] },
    ]);
    expect(names).toBe('npm:used@1.0.0\nnpm:never-submitted@1.0.0\n');
  });

  it('refuses a package, a flag of its list, and an entry without a version', async () => {
    const file = write('{"ecosystem": "npm", "name": "used"}');

    const both = await run(['where', 'used', '--file', file]);
    const all = await run(['where', '--all', '--file', file]);
    const unversioned = await run(['where', '--file', file]);
    const neither = await run(['where']);

    expect([both.code, all.code, unversioned.code, neither.code]).toEqual([2, 2, 2, 2]);
    expect(both.stderr).toContain('leave out used');
    expect(all.stderr).toContain('--file goes without --all');
    expect(unversioned.stderr).toContain('write its ecosystem, name and version');
    expect(neither.stderr).toContain('Give <name> or --file');
  });
});

describe('registry reject', () => {
  it('warns after the rejection of a version that projects use', async () => {
    const used = await run(['reject', 'npm:first@1.0.0', '--reason', 'no']);
    const unused = await run(['reject', 'npm:unused@1.0.0', '--reason', 'no']);

    expect({ code: used.code, stderr: used.stderr }).toEqual({
      code: 0,
      stderr:
        'warning: Projects use what was rejected: npm:first@1.0.0 by 1 project (payments@example.com).\n',
    });
    expect({ code: unused.code, stderr: unused.stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('warns once after the rejection of several versions', async () => {
    const args = ['reject', 'npm:second@1.0.0', 'npm:third@1.0.0', '--reason', 'no'];
    const { code, stderr } = await run(args);

    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        '2 rejected.\nwarning: Projects use what was rejected: npm:second@1.0.0 by 2 projects (payments@example.com, shop-team).\n',
    });
  });

  it('names the projects in the plan of what a leaked token submitted', async () => {
    const args = ['--since', '2020-01-01T00:00:00Z', '--label', 'ci', '--include-approved'];
    const { stdout } = await run(['reject', ...args, '--reason', 'leaked', '--dry-run']);

    expect(stdout.split('\n')[0]).toMatch(/USED BY$/);
    expect(stdout).toMatch(/npm:fourth@1.0.0 .* 1 project \(payments@example.com\)$/m);
  });

  it('asks at a terminal with the projects, and does not repeat them', async () => {
    const terminal = commandLine.inTerminal(['reject', 'npm:fourth@1.0.0', '--reason', 'no'], {
      env: { REGISTRY_URL: registry.url, REGISTRY_TOKEN: token },
    });
    await terminal.shows('Used by 1 project (payments@example.com).');
    await terminal.shows('Reject it? [y/N]');
    terminal.type('y\r');

    expect(await terminal.end()).toBe(0);
    expect(terminal.page()).not.toContain('Projects use what was rejected');
  });
});

describe('lists of a scripted registry', () => {
  const uses = (projects: number) => ({
    ...{ projects, projects_at_least: projects > 99 },
    used_by: ['a', 'b', 'c', 'd', 'e']
      .slice(0, projects)
      .map((owner, at) => ({ project: `p-${at}`, owner })),
  });
  const runAgainst = async (args: readonly string[], ...script: readonly Scene[]) => {
    const server = await startScripted(...script);
    const env = { REGISTRY_URL: server.url, REGISTRY_TOKEN: token };
    const ended = await commandLine.run(args, { env });
    await server.close();
    return { ...ended, received: server.received };
  };
  const listed = json(200, { attention: [attention, { ...attention, name: 'b' }], next: null });

  it('show the first owners of many projects, and send the token for these alone', async () => {
    const { stdout, received } = await runAgainst(
      ['attention'],
      listed,
      json(200, { packages: [uses(100), uses(0)] }),
    );

    expect(stdout.trimEnd().split('\n')).toEqual([
      'PACKAGE             SINCE UTC         WHY     USED BY',
      'npm:lodash@4.17.20  2026-11-20 03:00  1 high  at least 100 projects (a, b, c, …)',
      'npm:b@4.17.20       2026-11-20 03:00  1 high',
    ]);
    expect(received.map(({ url, headers }) => [url, headers['x-api-key']])).toEqual([
      ['/api/v1/attention', undefined],
      ['/api/v1/project-uses', token],
    ]);
    expect(JSON.parse(received[1]?.body ?? '')).toEqual({
      packages: ['lodash', 'b'].map((name) => ({ ecosystem: 'npm', name, version: '4.17.20' })),
    });
  });

  it('are as before if no project uses a version', async () => {
    const { stdout } = await runAgainst(
      ['recalls'],
      json(200, { recalls: [recall], next: null }),
      json(200, { packages: [uses(0)] }),
    );

    expect(stdout.split('\n')[0]).not.toContain('USED BY');
  });

  it('name the projects of recalled versions', async () => {
    const { stdout } = await runAgainst(
      ['recalls'],
      json(200, { recalls: [recall], next: null }),
      json(200, { packages: [uses(2)] }),
    );

    expect(stdout).toMatch(/npm:axios@1.14.1 .*MAL-2026-2307.* 2 projects \(a, b\)/);
  });

  it.each([
    ['the registry fails', problem(403, 'forbidden'), 'Told: forbidden.'],
    ['the answer is incomplete', json(200, { packages: [] }), 'one result for each of 2 packages'],
  ])('say so in one line if %s, also with several pages', async (_, answer, why) => {
    const page = (next: string | null) =>
      json(200, { attention: [attention, { ...attention, name: 'b' }], next });
    const { code, stdout, stderr } = await runAgainst(
      ['attention', '--all', '--jsonl'],
      ...[page('x'), answer, page(null)],
    );

    expect(code).toBe(0);
    expect(stdout.trimEnd().split('\n')).toHaveLength(4);
    expect(stderr).toMatch(
      /^warning: The projects that use these versions could not be loaded: [^\n]*\n$/,
    );
    expect(stderr).toContain(why);
  });

  it('load the projects of 100 versions in one request', async () => {
    const rows = Array.from({ length: 150 }, (_, at) => ({ ...attention, name: `p-${at}` }));
    const answer: Scene = (response, request) => {
      const isFull = Number(request.headers['content-length']) > 4000;
      const packages = Array.from({ length: isFull ? 100 : 50 }, () => uses(1));
      json(200, { packages })(response, request);
    };

    const { stdout, received } = await runAgainst(
      ['attention', '--limit', '1000', '--json'],
      json(200, { attention: rows, next: null }),
      answer,
    );

    expect(received).toHaveLength(3);
    const counts = received.slice(1).map(({ body }) => JSON.parse(body).packages.length);
    expect(counts.toSorted((a, b) => b - a)).toEqual([100, 50]);
    expect(JSON.parse(stdout).attention).toHaveLength(150);
  });
});
