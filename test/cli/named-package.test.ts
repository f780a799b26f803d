import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readPackageText } from '../../cli/many/package-text.ts';
import { CommandLine } from '../support/command-line.ts';
import { json, problem, type ScriptedServer, startScripted } from '../support/scripted-server.ts';

const digest = `sha256:${'a'.repeat(64)}`;

describe('what is typed for a package', () => {
  it.each([
    ['lodash', undefined, 'lodash', undefined],
    ['lodash@4.17.21', undefined, 'lodash', '4.17.21'],
    ['npm:lodash', 'npm', 'lodash', undefined],
    ['npm:lodash@4.17.21', 'npm', 'lodash', '4.17.21'],
    ['@types/node', undefined, '@types/node', undefined],
    ['@types/node@22.1.0', 'npm', '@types/node', '22.1.0'],
    ['org.slf4j:slf4j-api', undefined, 'org.slf4j:slf4j-api', undefined],
    ['org.slf4j:slf4j-api@2.0.9', 'maven', 'org.slf4j:slf4j-api', '2.0.9'],
    ['junit:junit', undefined, 'junit:junit', undefined],
    ['junit:junit@4.13.2', 'maven', 'junit:junit', '4.13.2'],
    ['nginx:1.27.3', 'docker', 'nginx', '1.27.3'],
    ['nginx:latest', 'docker', 'nginx', 'latest'],
    ['nginx@1.27.3', undefined, 'nginx', '1.27.3'],
    ['docker:nginx:stable', 'docker', 'nginx', 'stable'],
    ['docker:nginx@1.27.3', 'docker', 'nginx', '1.27.3'],
    ['grafana/loki:main', 'docker', 'grafana/loki', 'main'],
    ['localhost:5000/nginx', undefined, 'localhost:5000/nginx', undefined],
    ['localhost:5000/nginx:1.27.3', 'docker', 'localhost:5000/nginx', '1.27.3'],
    [`nginx@${digest}`, 'docker', 'nginx', digest],
    [`ghcr.io/acme/tool:2@${digest}`, 'docker', 'ghcr.io/acme/tool', digest],
    ['pkg:npm/%40types/node@22.1.0', 'npm', '@types/node', '22.1.0'],
    ['pkg:pypi/attrs', 'pypi', 'attrs', undefined],
  ])('%s', (text, ecosystem, name, version) => {
    expect(readPackageText(text)).toEqual({ ecosystem, name, version });
  });

  it.each([
    ['nginx:stable', 'docker', 'nginx', 'stable'],
    ['redis@5.2.1', 'pypi', 'redis', '5.2.1'],
  ] as const)('%s of %s', (text, known, name, version) => {
    expect(readPackageText(text, known)).toEqual({ ecosystem: known, name, version });
  });

  it.each(['', 'lodash@', 'npm:@types/node@', 'docker:nginx@', 'pkg:golang/x@1'])(
    'is nothing: %j',
    (text) => {
      expect(readPackageText(text)).toBeUndefined();
    },
  );
});

let commandLine: CommandLine;
let server: ScriptedServer;
beforeAll(() => {
  commandLine = CommandLine.install();
});
afterEach(() => server?.close());
afterAll(() => commandLine.remove());

const run = (...args: readonly string[]) =>
  commandLine.run(args, { env: { REGISTRY_URL: server.url } });

const asked = () => {
  const { pathname, searchParams } = new URL(server.received[0]?.url ?? '', server.url);
  return [decodeURIComponent(pathname), Object.fromEntries(searchParams)];
};

describe('a command about one package', () => {
  it.each<[string[], string]>([
    [['show'], ''],
    [['show', '--evidence'], '/evidence'],
    [['history'], '/history'],
    [['versions'], '/versions'],
    [['scan', 'history'], '/history'],
    [['approve'], '/approve'],
    [['reject', '-r', 'Not needed'], '/reject'],
    [['scan', 'show'], ''],
    [['scan', 'retire', '--tool', 'x', '-r', 'Wrong'], ''],
  ])('%j takes it with its version', async (command, path) => {
    server = await startScripted(problem(404, 'package_not_found'));

    await run(...command, 'org.slf4j:slf4j-api@2.0.9');

    const [pathname, query] = asked();
    expect(pathname).toMatch(new RegExp(`/org.slf4j:slf4j-api${path}$`));
    expect(query).toMatchObject({ ecosystem: 'maven', version: '2.0.9' });
  });

  it('takes it before a file', async () => {
    server = await startScripted(problem(404, 'package_not_found'));

    await commandLine.run(['scan', 'upload', 'nginx:1.27.3', '-'], {
      stdin: '{"tool": "x", "vulnerabilities": []}',
      env: { REGISTRY_URL: server.url },
    });

    expect(asked()).toEqual([
      '/api/v1/security/scans/nginx',
      { ecosystem: 'docker', version: '1.27.3' },
    ]);
  });

  it('asks for no ecosystem that nobody said', async () => {
    server = await startScripted(json(200, { name: 'lodash' }));

    await run('show', 'lodash@4.17.21');

    expect(asked()).toEqual(['/api/v1/packages/lodash', { version: '4.17.21' }]);
  });

  it.each([
    [['show', 'npm:lodash@1.0.0', '--version', '2.0.0'], '--version says 2.0.0'],
    [['approve', 'npm:lodash@1.0.0', '-e', 'pypi'], '--ecosystem says pypi'],
    [['show', 'lodash@'], 'lodash@ names no package: write lodash, npm:lodash@4.17.21'],
    [['show', 'npm:..@1.0.0'], 'names no package'],
    [['submit', 'left-pad@1.3.0'], 'write pypi:left-pad@1.3.0 or npm:left-pad@1.3.0 or docker:'],
    [['approve', 'a@1.0.0', 'b@1.0.0'], 'a@1.0.0 can be of several ecosystems'],
    [['submit', 'left-pad'], 'left-pad names no version of a package'],
    [['submit', '--name', 'x', '--version', '1.0.0'], 'Missing --ecosystem'],
    [['reject', 'lodash@4.17.21'], 'Missing --reason'],
    [['reject', 'lodash@4.17.21', '--reason', ' '], 'Missing --reason'],
    [['reject', 'npm:a@1.0.0', 'npm:b@1.0.0'], 'Missing --reason'],
  ])('refuses %j and says what to type', async (args, said) => {
    server = await startScripted(problem(500, 'internal_error'));

    const { code, stderr } = await run(...args);

    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(server.received).toEqual([]);
  });
});

describe('several packages', () => {
  it.each<[string[], object[]]>([
    [
      ['submit', '@types/node@22.1.0', 'org.slf4j:slf4j-api@2.0.9', 'nginx:1.27.3'],
      [
        { ecosystem: 'npm', name: '@types/node', version: '22.1.0' },
        { ecosystem: 'maven', name: 'org.slf4j:slf4j-api', version: '2.0.9' },
        { ecosystem: 'docker', name: 'nginx', version: '1.27.3' },
      ],
    ],
    [
      ['approve', '-e', 'docker', 'nginx:stable', 'redis@7.2.5'],
      [
        { ecosystem: 'docker', name: 'nginx', version: 'stable', action: 'approve' },
        { ecosystem: 'docker', name: 'redis', version: '7.2.5', action: 'approve' },
      ],
    ],
  ])('are read in the same way: %j', async (args, items) => {
    server = await startScripted(json(200, {}));

    const { stdout } = await run(...args, '--dry-run', '--json');

    const { packages, decisions } = JSON.parse(stdout).body;
    expect(packages ?? decisions).toEqual(items);
  });

  it('are held against a flag that says their ecosystem', async () => {
    server = await startScripted(json(200, {}));

    const { code, stderr } = await run('submit', '-e', 'npm', 'npm:a@1.0.0', 'pypi:b@1.0.0');

    expect(code).toBe(2);
    expect(stderr).toContain('pypi:b@1.0.0: --ecosystem says npm, and the package itself "pypi"');
  });
});
