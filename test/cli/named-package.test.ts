import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readPackageText } from '../../cli/many/package-text.ts';
import { CommandLine } from '../support/command-line.ts';
import { json, problem, type ScriptedServer, startScripted } from '../support/scripted-server.ts';

const digest = `sha256:${'a'.repeat(64)}`;

describe('a package argument', () => {
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
    ['PKG:npm/lodash@4.17.21', 'npm', 'lodash', '4.17.21'],
    ['pkg:maven/org.slf4j/slf4j-api@2.0.9?type=jar', 'maven', 'org.slf4j:slf4j-api', '2.0.9'],
    ['pkg:docker/acme/tool@2?repository_url=ghcr.io', 'docker', 'ghcr.io/acme/tool', '2'],
    [`pkg:docker/nginx@${encodeURIComponent(digest)}?tag=1.27.3`, 'docker', 'nginx', digest],
  ])('%s', (text, ecosystem, name, version) => {
    expect(readPackageText(text)).toEqual({ ecosystem, name, version });
  });

  it.each([
    ['nginx:stable', 'docker', 'nginx', 'stable'],
    ['redis@5.2.1', 'pypi', 'redis', '5.2.1'],
  ] as const)('%s of %s', (text, known, name, version) => {
    expect(readPackageText(text, known)).toEqual({ ecosystem: known, name, version });
  });

  it.each([
    '',
    'lodash@',
    'npm:@types/node@',
    'docker:nginx@',
    'pkg:golang/x@1',
    'pkg:npm/lodash@^4',
  ])('is nothing: %j', (text) => {
    expect(readPackageText(text)).toBeUndefined();
  });
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
  const subjects = ['org.slf4j:slf4j-api@2.0.9', 'pkg:maven/org.slf4j/slf4j-api@2.0.9'];

  it.each<[string[], string]>([
    [['show'], ''],
    [['show', '--evidence'], '/evidence'],
    [['history'], '/history'],
    [['versions'], '/versions'],
    [['scan', 'history'], '/history'],
    [['approve'], '/approve'],
    [['reject', '-r', 'Not needed'], '/reject'],
    [['scan', 'show'], ''],
    [['scan', 'dismiss', '--tool', 'x', '-r', 'Wrong'], ''],
  ])('%j accepts it with its version', async (command, path) => {
    for (const subject of subjects) {
      server = await startScripted(problem(404, 'package_not_found'));

      await run(...command, subject);

      const [pathname, query] = asked();
      expect(pathname).toMatch(new RegExp(`/org.slf4j:slf4j-api${path}$`));
      expect(query).toMatchObject({ ecosystem: 'maven', version: '2.0.9' });
      await server.close();
    }
  });

  it.each([
    ['approved', 'repository_url=https://mirror.example.com', 'a package of another repository'],
    ['show', 'download_url=https://mirror.example.com/x.tgz', 'a file at an address of its own'],
    ['history', 'vcs_url=git%2Bhttps://example.com/x.git', 'the content of a repository'],
    ['versions', 'vers=vers:npm/%3C5.0.0', 'a range of versions'],
    ['approve', 'Repository_URL=https://mirror.example.com', 'a package of another repository'],
    ['submit', 'vers=vers:npm/%3C5.0.0', 'a range of versions'],
  ])('%s refuses a package URL with %s', async (command, qualifier, means) => {
    server = await startScripted(problem(500, 'internal_error'));

    const { code, stderr } = await run(command, `pkg:npm/lodash@4.17.21?${qualifier}`);

    expect(code).toBe(2);
    expect(stderr).toContain(`names ${means}`);
    expect(stderr).toContain('leave that part out.');
    expect(server.received).toEqual([]);
  });

  it('prefers it to a file', async () => {
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

  it('sends no ecosystem without one', async () => {
    server = await startScripted(json(200, { name: 'lodash' }));

    await run('show', 'lodash@4.17.21');

    expect(asked()).toEqual(['/api/v1/packages/lodash', { version: '4.17.21' }]);
  });

  it.each([
    [['show', 'npm:lodash@1.0.0', '--version', '2.0.0'], '--version is 2.0.0'],
    [['approve', 'npm:lodash@1.0.0', '-e', 'pypi'], '--ecosystem is pypi'],
    [['show', 'lodash@'], 'lodash@ is no package: write lodash, npm:lodash@4.17.21'],
    [['show', 'npm:..@1.0.0'], 'is no package'],
    [['submit', 'left-pad@1.3.0'], 'write pypi:left-pad@1.3.0 or npm:left-pad@1.3.0 or docker:'],
    [['approve', 'a@1.0.0', 'b@1.0.0'], 'a@1.0.0 does not name its ecosystem'],
    [['submit', 'left-pad'], 'left-pad does not name a package version'],
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

describe('approved', () => {
  const express = (version: string, ecosystem = 'npm') => ({
    ...{ ecosystem, name: 'express', version, status: 'approved', license: 'MIT' },
  });
  const page = (...packages: readonly object[]) =>
    json(200, { packages, total: packages.length, limit: 1000, offset: 0 });
  const checked = (version: string, more: object = {}) => ({
    ...{ ecosystem: 'npm', name: 'express', version, status: 'approved', allowed: true },
    ...{ expires_at: null, reasons: [], ...more },
  });
  const answered = (...packages: readonly object[]) =>
    json(200, { allowed: true, counts: {}, packages });

  const versions = ['5.0.0-beta.1', '4.9.0', '3.21.2', '4.18.2', '4.10.0', '6.0.0-rc.1'];
  const scan = { code: 'scan_failed', message: '1 high vulnerability (policy: fail from high).' };
  const script = () => [
    page(...versions.map((version) => express(version))),
    answered(
      checked('4.18.2', { expires_at: '2027-01-31T00:00:00.000Z', reasons: [scan] }),
      checked('3.21.2'),
      checked('6.0.0-rc.1'),
      checked('5.0.0-beta.1'),
    ),
  ];

  it.each([['npm:express'], ['pkg:npm/express'], ['express', '--ecosystem', 'npm']])(
    'shows the newest release, then the newest of each major version, in two requests: %s',
    async (...typed) => {
      server = await startScripted(...script());

      const { code, stdout } = await run('approved', ...typed);

      expect(code).toBe(0);
      expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/))).toEqual([
        ['MAJOR', 'VERSION', 'EXPIRES', 'ISSUES'],
        ['4', '4.18.2', '2027-01-31', '1 high vulnerability (policy: fail from high).'],
        ['3', '3.21.2', 'never', 'none'],
        ['6', '6.0.0-rc.1', 'never', 'none'],
        ['5', '5.0.0-beta.1', 'never', 'none'],
        [''],
        ['6 approved in all; registry versions npm:express --status approved lists them.'],
        [''],
      ]);
      expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
        'GET /api/v1/packages/express/versions?ecosystem=npm&status=approved&limit=1000',
        'POST /api/v1/check',
      ]);
    },
  );

  it('omits versions that lost their approval meanwhile', async () => {
    const rejected = { status: 'rejected', allowed: false };
    server = await startScripted(
      page(express('4.18.2'), express('3.21.2')),
      answered(checked('4.18.2', rejected), checked('3.21.2')),
    );

    const { stdout } = await run('approved', 'npm:express', '--json');

    expect(JSON.parse(stdout)).toMatchObject({
      newest: { version: '3.21.2' },
      by_major: [{ major: '3', version: '3.21.2', expires_at: null, issues: [] }],
    });
  });

  it('shows each tag of an image, and at most twenty major versions', async () => {
    const tags = Array.from({ length: 25 }, (_, at) => express(`${at + 1}-alpine`, 'docker'));
    const shown = tags.slice(5).reverse();
    const each = shown.map(({ version }) => checked(version, { ecosystem: 'docker' }));
    server = await startScripted(page(...tags), answered(...each));

    const { code, stdout } = await run('approved', 'docker:express', '--json');

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ omitted: 5, newest: { major: null } });
    expect(JSON.parse(stdout).by_major).toHaveLength(20);
  });

  it.each([
    [[page(), page(express('4.18.2'))], 'Pending: 4.18.2. A reviewer decides: registry review'],
    [[page(), page()], 'Submit the version that you need: registry submit npm:express@VERSION'],
    [[problem(404, 'package_not_found')], 'registry submit npm:express@VERSION'],
  ])('ends with 1 where none is approved, and says what to do', async (scenes, next) => {
    server = await startScripted(...scenes);

    const { code, stdout, stderr } = await run('approved', 'npm:express');

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('error: No version of npm:express is approved.');
    expect(stderr).toContain(next);
  });

  it('shows as JSON that none is approved, and exits with 1', async () => {
    server = await startScripted(page(), page(express('4.18.2')));

    const { code, stdout } = await run('approved', 'npm:express', '--json');

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ newest: null, by_major: [], pending: ['4.18.2'] });
  });

  it('requires the ecosystem if several have the name', async () => {
    server = await startScripted(page(express('4.18.2'), express('1.0.0', 'pypi')));

    const { code, stderr } = await run('approved', 'express');

    expect(code).toBe(1);
    expect(stderr).toContain('Write pypi:express or npm:express.');
  });

  it('refuses a single version, and names the right command', async () => {
    server = await startScripted(problem(500, 'internal_error'));

    const { code, stderr } = await run('approved', 'npm:express@4.18.2');

    expect(code).toBe(2);
    expect(stderr).toContain('or run registry show npm:express@4.18.2.');
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

  it('must match the ecosystem of a flag', async () => {
    server = await startScripted(json(200, {}));

    const { code, stderr } = await run('submit', '-e', 'npm', 'npm:a@1.0.0', 'pypi:b@1.0.0');

    expect(code).toBe(2);
    expect(stderr).toContain('pypi:b@1.0.0: --ecosystem is npm, but the package has "pypi"');
  });
});
