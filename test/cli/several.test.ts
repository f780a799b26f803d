import { spawnSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { json, problem, type ScriptedServer, startScripted } from '../support/scripted-server.ts';

let commandLine: CommandLine;
let server: ScriptedServer | undefined;
beforeAll(() => {
  commandLine = CommandLine.install();
});
beforeEach(() => {
  server = undefined;
});
afterEach(() => server?.close());
afterAll(() => commandLine.remove());

const detail = (name: string) => ({
  ...{ name, version: '1.0.0', ecosystem: 'npm', status: 'approved', license: 'MIT' },
  ...{ expires_at: null, previous: null },
});

const run = (args: readonly string[], stdin = '') =>
  commandLine.run(args, { stdin, env: { REGISTRY_URL: server?.url ?? '' } });

const listAsked = () => server?.received.map(({ url = '' }) => decodeURIComponent(url));

describe('show, of several packages', () => {
  it('shows packages in order, and continues after a refused one', async () => {
    server = await startScripted(
      json(200, detail('one')),
      problem(404, 'package_not_found'),
      json(200, detail('three')),
    );

    const { code, stdout, stderr } = await run(['show', 'one', 'npm:two@2.0.0', 'three']);

    expect(stdout).toMatch(
      /^npm:one@.+\nhttp.+\n\nName +one\n(?:.+\n)+\nnpm:three@.+\nhttp.+\n\nName +three\n(?:.+\n)+$/,
    );
    expect(stderr).toContain('error: npm:two@2.0.0: Told: package_not_found.');
    expect(stderr).toContain('1 of 3 was refused.');
    expect(code).toBe(1);
    expect(listAsked()).toEqual([
      '/api/v1/packages/one',
      '/api/v1/packages/two?ecosystem=npm&version=2.0.0',
      '/api/v1/packages/three',
    ]);
  });

  it.each(['--json', '--jsonl'])('has a result for each package in %s', async (flag) => {
    server = await startScripted(json(200, detail('one')), problem(404, 'package_not_found'));

    const { code, stdout } = await run(['show', 'one', 'npm:two@2.0.0', flag]);

    const results =
      flag === '--json'
        ? JSON.parse(stdout).results
        : stdout
            .trim()
            .split('\n')
            .map((line) => JSON.parse(line));
    expect(code).toBe(1);
    expect(results).toEqual([
      { name: 'one', status: 200, package: detail('one') },
      {
        ...{ ecosystem: 'npm', name: 'two', version: '2.0.0', status: 404 },
        problem: expect.objectContaining({ code: 'package_not_found' }),
      },
    ]);
  });

  it('reads the output of list --jsonl and plain lines from standard input', async () => {
    server = await startScripted(json(200, detail('one')));
    const lines = [JSON.stringify(detail('one')), '# a remark', '', 'nginx:1.27.3'];

    const { code } = await run(['show', '-'], lines.join('\n'));

    expect(code).toBe(0);
    expect(listAsked()).toEqual([
      '/api/v1/packages/one?ecosystem=npm&version=1.0.0',
      '/api/v1/packages/nginx?ecosystem=docker&version=1.27.3',
    ]);
  });

  it('stops if the registry fails, and keeps earlier results', async () => {
    server = await startScripted(json(200, detail('one')), problem(400, 'invalid'), (response) =>
      response.socket?.destroy(),
    );

    const { code, stdout } = await run(['show', 'one', 'two', 'three', 'four', '--json']);

    expect(code).toBe(3);
    expect(JSON.parse(stdout).results.map(({ name }: { name: string }) => name)).toEqual([
      'one',
      'two',
    ]);
  });

  it('accepts one version for one package only', async () => {
    server = await startScripted(json(200, {}));

    const { code, stderr } = await run(['show', 'one', 'two', '--version', '1.0.0']);

    expect(code).toBe(2);
    expect(stderr).toContain('--version is for one package');
    expect(listAsked()).toEqual([]);
  });

  it('refuses a version that is an argument of its own', async () => {
    server = await startScripted(json(200, {}));

    const { code, stderr } = await run(['show', 'one', '4.17.20']);

    expect(code).toBe(2);
    expect(stderr).toContain('Write the version after the name: one@4.17.20.');
    expect(listAsked()).toEqual([]);
  });
});

describe('completion of packages', () => {
  const page = (...packages: readonly object[]) =>
    json(200, { total: packages.length, limit: 200, offset: 0, packages });
  const complete = async (...typed: readonly string[]) =>
    (await run(['__complete', '--', ...typed])).stdout;

  it('offers names with the prefix, each once', async () => {
    server = await startScripted(
      page(detail('left-pad'), detail('left-pad'), detail('my-left'), detail('leftist')),
    );

    expect(await complete('show', 'left')).toBe('left-pad\tnpm\nleftist\tnpm\n');
    expect(listAsked()).toEqual(['/api/v1/packages?search=left&limit=200']);
  });

  it('offers the names of one ecosystem, for each of several packages', async () => {
    server = await startScripted(page(detail('@types/node')));

    expect(await complete('approve', 'a@1', 'npm:@ty')).toBe('npm:@types/node\tnpm\n');
    expect(listAsked()).toEqual(['/api/v1/packages?ecosystem=npm&search=@ty&limit=200']);
  });

  it('offers versions after the separator', async () => {
    server = await startScripted(page(detail('left-pad'), { ...detail('x'), version: '2.0.0' }));

    expect(await complete('history', 'left-pad@1')).toBe('left-pad@1.0.0\tapproved\n');
    expect(listAsked()).toEqual(['/api/v1/packages/left-pad/versions?limit=200']);
  });

  it('uses the registry of the flag, in every notation', async () => {
    server = await startScripted(page(detail('left-pad')));
    const env = { REGISTRY_URL: 'http://127.0.0.1:9' };

    for (const flag of [['--url', server.url], [`--url=${server.url}`]]) {
      const args = ['__complete', '--', ...flag, 'show', 'left'];
      expect((await commandLine.run(args, { env })).stdout).toBe('left-pad\tnpm\n');
    }
  });

  it.each<[string, string[]]>([
    ['of one letter', ['show', 'l']],
    ['of what is no package', ['vulnerability', 'show', 'CVE-2']],
    ['of a flag', ['reject', '--reason', 'left']],
  ])('does not prompt %s', async (_, typed) => {
    server = await startScripted(page(detail('left-pad')));

    await complete(...typed);

    expect(listAsked()).toEqual([]);
  });

  it('is silent and fast if no registry answers', async () => {
    const { code, stdout, stderr } = await commandLine.run(['__complete', '--', 'show', 'left'], {
      env: { REGISTRY_URL: 'http://127.0.0.1:9' },
    });

    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  const hasBash = spawnSync('bash', ['--version']).status === 0;
  it.skipIf(!hasBash).each([
    ['show @types/n', '@types/node', 'types/node'],
    ['show npm:left', 'left-pad', 'left-pad'],
  ])('completes after the word breaks of bash: %s', async (typed, name, shown) => {
    const script = (await commandLine.run(['completion', 'bash'])).stdout;
    const candidate = typed.includes(':') ? `npm:${name}` : name;
    const program = `registry() { printf '%s\\tnpm\\n' '${candidate}'; }
      ${script}
      COMP_LINE='registry ${typed}' COMP_POINT=${'registry '.length + typed.length}
      _registry; echo "\${COMPREPLY[@]}"`;

    const { stdout } = spawnSync('bash', ['-c', program], { encoding: 'utf8' });

    expect(stdout).toBe(`${shown}\n`);
  });
});
