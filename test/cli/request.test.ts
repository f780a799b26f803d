import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readRequested } from '../../cli/commands/request/requested.ts';
import { isGateAddress } from '../../cli/session/gate-address.ts';
import type { PackageId } from '../../shared/domain/packages/package-id.ts';
import { findCutoff } from '../../shared/domain/policy/cutoff.ts';
import { CommandLine } from '../support/command-line.ts';
import {
  json,
  type Scene,
  type ScriptedServer,
  startScripted,
} from '../support/scripted-server.ts';

const token = 'a-token-of-more-than-thirty-two-characters';
const ofAge = { name: 'of-age', then: 'approve', when: { minimum_age_days: 7 } } as const;

let commandLine: CommandLine;
let project: string;
let programs: string;
let server: ScriptedServer;
let approves: readonly string[];

const answer = ({ ecosystem, name, version }: PackageId, isAgain: boolean) => {
  if (name.startsWith('@acme/')) {
    const reasons = [{ code: 'own_package', message: 'An own package.' }];
    return {
      ...{ ecosystem, name, version, status: 'unknown', allowed: true, expires_at: null },
      ...{ reasons, rule: null, waits_for: [], waits_until: null },
    };
  }
  const isApproved = approves.includes(name);
  const status = isApproved ? 'approved' : isAgain ? 'pending' : 'unknown';
  const waits_for = status === 'pending' ? ['review'] : [];
  return {
    ...{ ecosystem, name, version, status, allowed: isApproved, expires_at: null },
    ...{ reasons: [], rule: isApproved ? 'of-age' : null, waits_for, waits_until: null },
  };
};

const scene: Scene = (response, request) => {
  const { url = '' } = request;
  const { body = '' } = server.received.at(-1) ?? {};
  if (url.endsWith('/policy')) return json(200, { rules: [ofAge], run: null })(response, request);
  const { packages = [] } = JSON.parse(body) as { packages: PackageId[] };
  if (url.endsWith('/submissions')) {
    const results = packages.map(() => ({ status: 201, package: { status: 'pending' } }));
    return json(200, { results })(response, request);
  }
  const isAgain = server.received.some((one) => one.url?.endsWith('/submissions'));
  const origins = { npm: { index_hosts: ['npm.test'], file_hosts: ['npm.test'] } };
  const checked = packages.map((one) => answer(one, isAgain));
  return json(200, { packages: checked, origins })(response, request);
};

/** A stand-in for a package manager: it records how it was called, and writes a prepared file. */
const standIn = (name: string, output: string, content: string, code = 0): void => {
  const recorded = join(programs, `${name}.args`);
  writeFileSync(join(programs, `${name}.out`), content);
  writeFileSync(
    join(programs, name),
    `#!/bin/bash
if [ "$1" = config ]; then printf '%s=${programs}/%s.npmrc\\n' userconfig user globalconfig global; exit; fi
printf '%s\\n' "$@" > '${recorded}'
pwd > '${recorded}.cwd'
printf '%s|%s|%s|%s' "$XDG_CONFIG_HOME" "$npm_config_registry" "$REGISTRY_TOKEN" "$(ls -A | tr '\\n' ' ')" > '${recorded}.env'
rm -rf '${join(programs, `${name}.folder`)}'
cp -r . '${join(programs, `${name}.folder`)}'
cp '${join(programs, `${name}.out`)}' '${output}'
echo 'a last line of ${name}'
exit ${code}
`,
  );
  chmodSync(join(programs, name), 0o755);
};

/** Writes a file of the project. */
const put = (file: string, content: string): void => {
  mkdirSync(dirname(join(project, file)), { recursive: true });
  writeFileSync(join(project, file), content);
};

/** Reads a file in the folder in which a stand-in ran. */
const readSeen = (name: string, file: string): string =>
  readFileSync(join(programs, `${name}.folder`, file), 'utf8');

const readArgs = (name: string): string[] =>
  readFileSync(join(programs, `${name}.args`), 'utf8')
    .trim()
    .split('\n');

const lockOf = (versions: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { express: '5' } },
      ...Object.fromEntries(
        Object.entries(versions).map(([name, version]) => [
          `node_modules/${name}`,
          { version, ...(name === 'express' && { dependencies: { ms: '2', debug: '4' } }) },
        ]),
      ),
    },
  });

beforeAll(() => {
  commandLine = CommandLine.install();
});
afterAll(() => commandLine.remove());
beforeEach(async () => {
  approves = [];
  project = mkdtempSync(join(commandLine.folder, 'project-'));
  programs = mkdtempSync(join(commandLine.folder, 'programs-'));
  server = await startScripted(scene);
});
afterEach(async () => {
  await server.close();
  rmSync(project, { recursive: true });
});

const run = (...args: readonly string[]) => {
  const PATH = `${programs}:/usr/bin:/bin`;
  const env = {
    PATH,
    REGISTRY_URL: server.url,
    REGISTRY_TOKEN: token,
    npm_config_registry: `${server.url}/npm/`,
  };
  return commandLine.run(['request', ...args], { cwd: project, env });
};

const listTemporary = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith('registry-request-'));

describe('registry request', () => {
  it('never allows what a package brings from Git', async () => {
    const lock = {
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { express: '5' } },
        'node_modules/express': { version: '5.3.0', dependencies: { fork: 'acme/fork' } },
        'node_modules/fork': {
          version: '1.0.0',
          resolved: `git+ssh://git@example.com/acme/fork.git#${'a'.repeat(40)}`,
        },
      },
    };
    standIn('npm', 'package-lock.json', JSON.stringify(lock));
    approves = ['express'];

    const { code, stdout, stderr } = await run('npm:express');

    expect(code).toBe(1);
    expect(stdout).toMatch(/^fork@1\.0\.0 unpinned: It comes from a Git repository/m);
    expect(stderr).toContain('1 of 2 packages is not allowed: 1 without an exact version');
  });

  it.each([
    ['another host', { resolved: 'https://mirror.example.com/@acme/shop/-/shop-1.0.0.tgz' }],
    ['no known address', {}],
  ])('never allows the name of an own package from %s', async (_, where) => {
    const packages = { 'node_modules/@acme/shop': { version: '1.0.0', ...where } };
    standIn('npm', 'package-lock.json', JSON.stringify({ lockfileVersion: 3, packages }));

    const { code, stdout } = await run('npm:@acme/shop');

    expect(code).toBe(1);
    expect(stdout).toContain('npm:@acme/shop@1.0.0 other_source: ');
    expect(stdout).toContain('dependency confusion');
  });

  it('shows what is new below what requires it, submits it as one batch, and leaves the project alone', async () => {
    const lock = lockOf({ ms: '2.1.3' });
    writeFileSync(join(project, 'package.json'), '{}');
    writeFileSync(join(project, 'package-lock.json'), lock);
    standIn('npm', 'package-lock.json', lockOf({ express: '5.3.0', ms: '2.1.3', debug: '4.4.0' }));
    approves = ['debug'];
    const before = listTemporary();

    const { code, stdout, stderr } = await run('express@5', '--reason', 'The API');

    expect(code).toBe(1);
    expect(stdout).toBe('npm:express@5.3.0 unknown\n  npm:debug@4.4.0 approved\n');
    expect(stderr).toMatch(
      /^Versions from before \d{4}-\d\d-\d\d, because the rule of-age requires 7 days\.\n/,
    );
    expect(stderr).toContain('1 submitted for review (npm:express@5.3.0)');
    expect(stderr).toMatch(/Review them at http.*\?batch=express-[0-9a-f]{8}\n/);
    expect(stderr).toContain(
      'When all are approved: Install through the gate: npm install express@5',
    );
    const sent = server.received.find(({ url }) => url?.endsWith('/submissions'));
    expect(JSON.parse(sent?.body ?? '').packages).toEqual([
      expect.objectContaining({ name: 'express', justification: 'The API' }),
    ]);
    expect(readFileSync(join(project, 'package-lock.json'), 'utf8')).toBe(lock);
    expect(readdirSync(project).sort()).toEqual(['package-lock.json', 'package.json']);
    expect(listTemporary()).toEqual(before);
  });

  it('has npm run no script, and choose nothing too young, from an index that is not the gate', async () => {
    standIn('npm', 'package-lock.json', lockOf({ express: '5.3.0' }));
    approves = ['express'];

    const { code, stderr } = await run(
      'npm:express@5',
      '--index',
      'https://mirror.example.com/npm/',
    );

    expect(code).toBe(0);
    expect(stderr).toContain('Install through the gate: npm install express@5');
    const args = readArgs('npm');
    expect(args.slice(0, 3)).toEqual(['install', '--package-lock-only', '--ignore-scripts']);
    expect(args.slice(-2)).toEqual(['--', 'express@5']);
    expect(args).toContain('--registry=https://mirror.example.com/npm/');
    const before = args.find((one) => one.startsWith('--before='))?.slice('--before='.length);
    const days = (Date.now() - Date.parse(before ?? '')) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(7);
    expect(days).toBeLessThan(8);
    // Neither the gate as the index, nor the token of the registry.
    expect(readFileSync(join(programs, 'npm.args.env'), 'utf8')).toBe('|||package.json ');
  });

  it('resolves at the path of the project, so that its relative paths lead to no shared folder', async () => {
    standIn('npm', 'package-lock.json', lockOf({ express: '5.3.0' }));

    await run('npm:express', '--dry-run');

    const folder = readFileSync(join(programs, 'npm.args.cwd'), 'utf8').trim();
    expect(folder).toMatch(/registry-request-[^/]+\//);
    expect(folder.endsWith(realpathSync(project))).toBe(true);
  });

  it('uses the indexes and credentials in settings of npm, but not the gate', async () => {
    const kept = [
      '@acme:registry=https://mirror.example.com/',
      '//mirror.example.com/:_authToken=t',
    ];
    const gate = `registry = "${server.url}/npm/"`;
    writeFileSync(join(programs, 'user.npmrc'), [gate, ...kept].join('\n'));
    writeFileSync(
      join(project, '.npmrc'),
      [`registry=\${REGISTRY_URL}/npm/`, `@shop:${gate}`, 'git=./run-me', 'save=true'].join('\n'),
    );
    standIn('npm', 'package-lock.json', lockOf({ express: '5.3.0' }));

    await run('npm:express', '--dry-run');

    const flags = readArgs('npm').filter((one) => /^--(?:user|global)config=/.test(one));
    expect(flags).toEqual([expect.stringMatching(/^--userconfig=.*registry-request-/)]);
    expect(readSeen('npm', 'userconfig.npmrc')).toBe(kept.join('\n'));
    expect(readSeen('npm', '.npmrc')).toBe('save=true');
    // The addresses in the lockfile show the origin of own packages.
    expect(readArgs('npm')).toContain('--no-omit-lockfile-registry-resolved');
  });

  it.each([
    ['an equal address', 'http://gate.test/r/', true],
    ['one of its indexes', 'https://GATE.test:80/r/npm/', false],
    ['one of its indexes', 'http://GATE.test:80/r/npm/', true],
    ['another protocol', 'https://gate.test/r/npm/', true],
    ['another host', 'http://gate.test.evil.example/r/', false],
    ['another path', 'http://gate.test/rest/', false],
    ['no address', 'r', false],
  ])('compares the address of the gate with %s', (_, address, isGate) => {
    expect(isGateAddress(address, 'http://gate.test/r')).toBe(isGate);
  });

  it('resolves a project of npm workspaces with its shrinkwrap, and follows no link out of it', async () => {
    const manifests = {
      'package.json': { workspaces: ['packages/*'] },
      'packages/a/package.json': { name: 'a' },
      'packages/nested/b/package.json': { name: 'b' },
      'node_modules/ms/package.json': { name: 'ms' },
    };
    for (const [file, content] of Object.entries(manifests)) put(file, JSON.stringify(content));
    const outside = mkdtempSync(join(commandLine.folder, 'outside-'));
    writeFileSync(join(outside, 'package.json'), '{}');
    symlinkSync(join(outside, 'package.json'), join(project, '.npmrc'));
    symlinkSync(outside, join(project, 'packages', 'linked'));
    mkdirSync(join(project, 'packages', 'c'));
    symlinkSync(join(outside, 'package.json'), join(project, 'packages', 'c', 'package.json'));
    writeFileSync(join(project, 'npm-shrinkwrap.json'), lockOf({ ms: '2.1.3' }));
    standIn('npm', 'npm-shrinkwrap.json', lockOf({ express: '5.3.0', ms: '2.1.3' }));

    const { stdout } = await run('express@5', '--dry-run');

    expect(stdout).toBe('npm:express@5.3.0 unknown\n');
    const seen = readdirSync(join(programs, 'npm.folder'), { recursive: true, encoding: 'utf8' });
    expect(seen).not.toContain('.npmrc');
    expect(seen.filter((file) => file.endsWith('.json')).sort()).toEqual([
      ...['npm-shrinkwrap.json', 'package.json', 'packages/a/package.json'],
      'packages/nested/b/package.json',
    ]);
    expect(readSeen('npm', 'npm-shrinkwrap.json')).toBe(lockOf({ ms: '2.1.3' }));
  });

  it('has uv build nothing, without the index of the gate in the project', async () => {
    const index = `[[tool.uv.index]]\nurl = "${server.url}/pypi/simple/"\ndefault = true\n`;
    put('pyproject.toml', `[project]\nname = "lab"\nversion = "1"\n\n${index}`);
    put('uv.lock', '');
    const lock = `version = 1\n[[package]]\nname = "lab"\nversion = "1"\nsource = { virtual = "." }\ndependencies = [{ name = "requests" }]\n[[package]]\nname = "requests"\nversion = "2.32.5"\nsource = { registry = "https://mirror.example.com/simple" }\n`;
    standIn('uv', 'uv.lock', lock);

    const { stderr } = await run('requests>=2.32', '--dry-run', '--before', '2026-01-01');

    expect(stderr).toContain('Versions from before 2026-01-01.');
    expect(readArgs('uv')).toEqual([
      ...['add', '--no-sync', '--no-build', '--exclude-newer', '2026-01-01T00:00:00.000Z'],
      ...['--', 'requests>=2.32'],
    ]);
    const { project: own, tool } = parse(readSeen('uv', 'pyproject.toml'));
    expect(own).toEqual({ name: 'lab', version: '1' });
    expect(tool).toEqual({ uv: { index: [] } });
  });

  it('uses the indexes in settings of uv, but not the gate', async () => {
    const gate = `url = "${server.url}/pypi/simple/"`;
    const mirror = 'url = "https://mirror.example.com/simple"';
    const config = join(commandLine.folder, '.config', 'uv');
    mkdirSync(config, { recursive: true });
    writeFileSync(
      join(config, 'uv.toml'),
      `[[index]]\n${gate}\ndefault = true\n[[index]]\n${mirror}\nname = "mirror"\n`,
    );
    put('uv.toml', `index-${gate}\noffline = false\n`);
    const lab = '[project]\nname = "lab"\nversion = "1"\n[tool.uv]\n';
    const index = `index = [{ name = "gate", ${gate} }, { name = "mirror", ${mirror} }]\n`;
    put(
      'pyproject.toml',
      `${lab}${index}sources = { a = { index = "gate" }, b = [{ index = "mirror" }] }`,
    );
    put('uv.lock', '');
    standIn('uv', 'uv.lock', 'version = 1\n');

    await run('pypi:requests', '--dry-run');

    const kept = { name: 'mirror', url: 'https://mirror.example.com/simple' };
    expect(parse(readSeen('uv', 'XDG_CONFIG_HOME/uv/uv.toml'))).toEqual({ index: [kept] });
    expect(readFileSync(join(programs, 'uv.args.env'), 'utf8')).toContain('/XDG_CONFIG_HOME|');
    expect(parse(readSeen('uv', 'uv.toml'))).toEqual({ offline: false });
    expect(parse(readSeen('uv', 'pyproject.toml'))).toHaveProperty('tool.uv', {
      index: [kept],
      sources: { b: [{ index: 'mirror' }] },
    });
    rmSync(config, { recursive: true });
  });

  it('resolves a workspace of uv with its packages and wheels, which it does not build', async () => {
    const sources = `a = { workspace = true }\nw = { path = "w/w-1-py3-none-any.whl" }\n`;
    const workspace = '[tool.uv.workspace]\nmembers = ["packages/*"]\n';
    put(
      'pyproject.toml',
      `[project]\nname = "lab"\nversion = "1"\n${workspace}[tool.uv.sources]\n${sources}`,
    );
    put('uv.lock', '');
    put('w/w-1-py3-none-any.whl', 'a wheel');
    const build = '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n';
    put('packages/a/pyproject.toml', `${build}[project]\nname = "a"\ndynamic = ["version"]\n`);
    put('.venv/b/pyproject.toml', '');
    standIn('uv', 'uv.lock', 'version = 1\n');

    await run('pypi:requests', '--dry-run');

    expect(parse(readSeen('uv', 'packages/a/pyproject.toml'))).toEqual({
      project: { name: 'a', version: '0' },
    });
    expect(readSeen('uv', 'w/w-1-py3-none-any.whl')).toBe('a wheel');
    expect(parse(readSeen('uv', 'pyproject.toml'))).toHaveProperty('tool.uv.workspace');
    expect(readdirSync(join(programs, 'uv.folder'))).not.toContain('.venv');
  });

  it('has Maven use a repository of its own', async () => {
    mkdirSync(join(project, 'src'));
    writeFileSync(join(project, 'pom.xml'), '<project/>');
    standIn(
      'mvn',
      'dependency-tree.txt',
      'request:request:jar:0\n\\- org.slf4j:slf4j-api:jar:2.0.17:compile\n',
    );

    const { stderr } = await run('org.slf4j:slf4j-api@2.0.17', '--dry-run');

    expect(stderr).toContain('Maven cannot leave out versions that are too young');
    const args = readArgs('mvn');
    expect(args.find((one) => one.startsWith('-Dmaven.repo.local='))).toContain(
      'registry-request-',
    );
    expect(args).toContain('org.apache.maven.plugins:maven-dependency-plugin:3.8.1:tree');
    expect(readdirSync(project).sort()).toEqual(['pom.xml', 'src']);
  });

  it('has Maven use what the POM of the project and its parents manage, and none of their code', async () => {
    const build = '<build><extensions><extension/></extensions></build>';
    const managed = '<dependencyManagement><dependencies/></dependencyManagement>';
    const gate = `<repositories><repository><url>${server.url}/maven/</url></repository></repositories>`;
    const own = (version: string) =>
      `<dependency><groupId>a</groupId><artifactId>b</artifactId><version>${version}</version></dependency>`;
    put(
      'pom.xml',
      `<?xml version="1.0"?>\n<project xmlns="x"><parent><relativePath>up</relativePath></parent><packaging>war</packaging>${build}${managed}${gate}<dependencies>${own('1')}${own('2').replace('b<', 'c<')}</dependencies><profiles><profile><id>p</id>${build}</profile></profiles><name>a &amp; b</name></project>`,
    );
    put('up/pom.xml', `<project>${build}<parent><version>1</version></parent></project>`);
    put('.mvn/extensions.xml', '<extensions/>');
    standIn(
      'mvn',
      'dependency-tree.txt',
      'g:p:pom:0\n+- a:c:jar:2:compile\n|  \\- a:d:jar:1:compile\n\\- a:b:jar:3:compile\n   \\- a:e:jar:1:compile\n',
    );

    const { stdout } = await run('maven:a:b@3', '--dry-run', '-o', 'name');

    expect(readdirSync(join(programs, 'mvn.folder', '.mvn'))).toEqual([]);
    const pom = readSeen('mvn', 'pom.xml');
    expect(`${pom}${readSeen('mvn', 'up/pom.xml')}`).not.toMatch(/<build>|<repository>|war/);
    expect(pom).toContain('<dependencyManagement><dependencies></dependencies>');
    expect(pom).toContain('<name>a &amp; b</name>');
    expect(pom).toContain(
      `<dependencies>${own('2').replace('b<', 'c<')}${own('3')}</dependencies>`,
    );
    expect(stdout).toBe('maven:a:b@3\nmaven:a:e@1\n');
  });

  it.each([
    ['its own mirrors', [], '<url>https://mirror.example.com/maven</url>'],
    [
      'a given index',
      ['--index', 'https://a.example/?a&b'],
      '<url>https://a.example/?a&amp;b</url>',
    ],
  ])(
    'has Maven use the settings of the user with %s, but not the gate',
    async (_, flags, expected) => {
      const folder = join(commandLine.folder, '.m2');
      mkdirSync(folder, { recursive: true });
      const toMirror = (url: string) => `<mirror><url>${url}</url></mirror>`;
      const mirrors = [`\${env.REGISTRY_URL}/maven/`, 'https://mirror.example.com/maven'].map(
        toMirror,
      );
      const server = '<server><id>&#43;</id><password><![CDATA[<]]></password></server>';
      writeFileSync(
        join(folder, 'settings.xml'),
        `<settings xmlns="x"><servers>${server}</servers><mirrors>${mirrors.join('')}</mirrors></settings>`,
      );
      standIn('mvn', 'dependency-tree.txt', 'r:r:jar:0\n\\- a:b:jar:1:compile\n');

      await run('maven:a:b@1', '--dry-run', ...flags);

      const settings = readSeen('mvn', 'settings.xml');
      expect(settings.match(/<url>.*?<\/url>/g)).toEqual([expected]);
      expect(settings).toContain(server);
      rmSync(folder, { recursive: true });
    },
  );

  it('has Maven resolve without the POM of the project if that fails, and says so', async () => {
    put('pom.xml', '<project><parent><groupId>far</groupId></parent></project>');
    standIn('mvn', 'dependency-tree.txt', 'r:r:jar:0\n\\- a:b:jar:1:compile\n');
    const program = join(programs, 'mvn');
    const failing = `#!/bin/bash\nif grep -q far pom.xml; then echo '[ERROR] No parent' >&2; exit 1; fi\n`;
    writeFileSync(program, readFileSync(program, 'utf8').replace('#!/bin/bash\n', failing));

    const { stdout, stderr } = await run('maven:a:b@1', '--dry-run');

    expect(stderr).toContain(
      "The versions that the project's POM manages do not count: No parent\n",
    );
    expect(stdout).toBe('maven:a:b@1 unknown\n');
  });

  it('writes the IDs of versions that are not approved with -o name', async () => {
    const fork = { version: '1.0.0', resolved: `git+ssh://git@a.example/b.git#${'a'.repeat(40)}` };
    const lock = JSON.parse(lockOf({ express: '5.3.0', ms: '2.1.3', debug: '4.4.0' }));
    lock.packages['node_modules/fork'] = fork;
    standIn('npm', 'package-lock.json', JSON.stringify(lock));
    approves = ['debug'];

    const { code, stdout } = await run('npm:express', '-o', 'name');

    expect(code).toBe(1);
    expect(stdout).toBe('npm:express@5.3.0\nnpm:ms@2.1.3\n');
  });

  it('submits nothing with --dry-run', async () => {
    standIn('npm', 'package-lock.json', lockOf({ express: '5.3.0' }));

    const { code } = await run('npm:express', '--dry-run');

    expect(code).toBe(1);
    expect(server.received.some(({ url }) => url?.endsWith('/submissions'))).toBe(false);
  });

  it('shows the last lines of a package manager that fails, and names one that is missing', async () => {
    standIn('npm', 'package-lock.json', '{}', 1);
    const failed = await run('npm:express');
    const missing = await run('pypi:requests');

    expect(failed.code).toBe(3);
    expect(failed.stderr).toMatch(/npm failed:\s+a last line of npm/);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain(
      'The program uv is not installed. pip install uv installs it.',
    );
  });

  it.each([
    ['npm:--registry=https://evil.example'],
    ['npm:express@git+https://evil.example/x'],
    ['npm:express@file:../x'],
    ['npm:express@npm:evil@1'],
    ['pypi:requests@https://evil.example/x.whl'],
    ['pypi:-r'],
    ['maven:org.slf4j:slf4j-api'],
    ['maven:a:b@1</version><x>'],
  ])('refuses %s before it runs anything', async (text) => {
    const { code, stderr } = await run(text);

    expect(code).toBe(2);
    expect(stderr).toContain('is no package of');
    expect(server.received).toEqual([]);
  });

  it('needs an ecosystem where no project, or more than one, shows it', () => {
    expect(() => readRequested(['express'], project)).toThrow('no project of npm, uv or Maven');
    writeFileSync(join(project, 'package.json'), '{}');
    expect(readRequested(['express'], project).resolver).toBe('npm');
    writeFileSync(join(project, 'pom.xml'), '');
    expect(() => readRequested(['express'], project)).toThrow('projects of npm and maven');
    expect(() => readRequested(['npm:a', 'pypi:b'], project)).toThrow('one ecosystem at a time');
  });
});

describe('the cutoff', () => {
  const now = new Date('2026-11-26T00:00:00Z');

  it('is that of the greatest age that an approving rule requires for the ecosystem', () => {
    const rules = [
      { name: 'hold', then: 'hold', when: { minimum_age_days: 90 } },
      { name: 'other', then: 'approve', when: { ecosystems: ['pypi'], minimum_age_days: 30 } },
      { name: 'ours', then: 'approve', when: { ecosystems: ['npm'], minimum_age_days: 3 } },
      ofAge,
    ] as const;

    expect(findCutoff([...rules] as never, 'npm', now)).toMatchObject({ rule: 'of-age', days: 7 });
    expect(findCutoff([...rules] as never, 'pypi', now)).toMatchObject({ rule: 'other', days: 30 });
    expect(findCutoff([], 'npm', now)).toBeUndefined();
  });
});
