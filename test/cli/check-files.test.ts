import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { load as readYaml } from 'js-yaml';
import type { Result } from 'sarif';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDependencyFormat } from '../../shared/ecosystems/parse-dependency-file.ts';
import { exampleText } from '../ecosystems/lockfiles/example.ts';
import { CommandLine, type RunOptions } from '../support/command-line.ts';
import {
  json,
  type Scene,
  type ScriptedServer,
  startScripted,
} from '../support/scripted-server.ts';

let commandLine: CommandLine;
let server: ScriptedServer;

interface Asked {
  readonly name: string;
}

/** The registry's answer for each package, by name; it approves all others. */
const said = new Map<string, object>();
const approved = { status: 'approved', allowed: true, expires_at: null, reasons: [] };
const reject = (message: string) => ({
  ...{ status: 'rejected', allowed: false, expires_at: null },
  reasons: [{ code: 'rejected', message }],
});
const unknown = {
  ...reject('Not in the registry.'),
  ...{ status: 'unknown' },
};

beforeAll(async () => {
  const answer: Scene = (response, request) => {
    const { packages } = JSON.parse(server.received.at(-1)?.body ?? '');
    const checked = packages.map((one: Asked) => ({ ...one, ...(said.get(one.name) ?? approved) }));
    json(200, { allowed: true, counts: {}, packages: checked })(response, request);
  };
  server = await startScripted(answer);
  commandLine = CommandLine.install();
  said.set('worst', reject('Never.'));
  said.set('never', unknown);
});
afterAll(async () => {
  commandLine.remove();
  await server.close();
});

const makeProject = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(commandLine.folder, 'project-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
};

const check = (cwd: string, args: readonly string[] = [], options: RunOptions = {}) =>
  commandLine.run(['check', ...args], {
    ...options,
    cwd,
    env: { REGISTRY_URL: server.url, ...options.env },
  });
const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');
const listFiles = (stdout: string): string[] =>
  JSON.parse(stdout).files.map(({ file }: { file: string }) => file);

/** A dependency path from another package to each. */
const lockOf = (names: readonly string[]): string =>
  JSON.stringify(
    {
      lockfileVersion: 3,
      packages: {
        '': { dependencies: { root: '*' } },
        'node_modules/root': {
          version: '1.0.0',
          dependencies: Object.fromEntries(names.map((name) => [name, '*'])),
        },
        ...Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }])),
      },
    },
    null,
    1,
  );

describe('links', () => {
  it('to files are read, broken links are reported, and links to folders are ignored', async () => {
    const folder = makeProject({
      'real/locked.json': lockOf(['worst']),
      'elsewhere/requirements.txt': 'worst==1.0.0\n',
    });
    mkdirSync(join(folder, 'web'));
    symlinkSync('../real/locked.json', join(folder, 'web', 'package-lock.json'));
    symlinkSync('nowhere', join(folder, 'web', 'yarn.lock'));
    symlinkSync('../elsewhere', join(folder, 'web', 'linked'));
    symlinkSync('../elsewhere', join(folder, 'web', 'uv.lock'));

    const { code, stdout } = await check(folder, ['web', '--json']);

    expect(code).toBe(1);
    expect(listFiles(stdout)).toEqual(['web/package-lock.json', 'web/yarn.lock']);
    expect(JSON.parse(stdout).packages).toMatchObject([
      { name: 'worst', status: 'rejected' },
      { name: 'web/yarn.lock', status: 'unreadable', found_in: [{ file: 'web/yarn.lock' }] },
      { name: 'root' },
    ]);
  });
});

const toList = (pin: string): string => `${pin} --hash=sha256:${'a'.repeat(64)}\n`;
const toBuild = (requirement: string): string => `[build-system]\nrequires = ["${requirement}"]\n`;
const asksNpm = '{"dependencies": {"x": "1"}}';

describe('a pyproject.toml', () => {
  it('is a finding if unreadable, whatever the flags', async () => {
    const folder = makeProject({ 'package-lock.json': lockOf([]), 'odd/pyproject.toml': '[' });

    const { code, stdout } = await check(folder, ['--json', '--allow', 'unknown,unpinned']);

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      not_checked: [],
      packages: [{ name: 'odd/pyproject.toml', status: 'unreadable' }, { name: 'root' }],
    });
  });

  it('is read through a link, and unreadable through a broken link', async () => {
    const folder = makeProject({
      'real/project.toml': toBuild('worst==1.0.0'),
      'web/package-lock.json': lockOf([]),
    });
    for (const [name, to] of [
      ['a', '../../real/project.toml'],
      ['b', 'nowhere'],
      ['c', '../../real'],
    ] as const) {
      mkdirSync(join(folder, 'web', name));
      symlinkSync(to, join(folder, 'web', name, 'pyproject.toml'));
    }

    const { stdout } = await check(folder, ['web', '--json']);

    expect(JSON.parse(stdout).packages).toMatchObject([
      { name: 'worst', status: 'rejected', found_in: [{ file: 'web/a/pyproject.toml' }] },
      { name: 'web/b/pyproject.toml', status: 'unreadable' },
      { name: 'root' },
    ]);
  });

  it('is ignored on its own, unless it pins its build requirements', async () => {
    const text = '[project]\ndependencies = ["requests>=2"]\n';
    const folder = makeProject({
      'a/pyproject.toml': text,
      'b/pyproject.toml': toBuild('worst==1'),
    });

    const nothing = [
      await check(folder, ['a/pyproject.toml']),
      await check(folder, ['a']),
      await check(folder, ['-', '--format', 'pyproject.toml'], { stdin: text }),
    ];
    const pinned = await check(folder, ['b/pyproject.toml']);

    expect(nothing.map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(nothing[0]?.stderr).toContain('There is nothing to check in a/pyproject.toml');
    expect(pinned).toMatchObject({ code: 1, stdout: expect.stringContaining('worst') });
  });
});

describe('a folder that is searched beside the current one', () => {
  it('ignores the files of the current folder above it', async () => {
    const folder = makeProject({
      'here/package-lock.json': lockOf([]),
      'here/build-requirements.txt': toList('flit-core==3.9.0'),
      'other/package.json': asksNpm,
      'other/pyproject.toml': toBuild('flit_core'),
    });
    const here = join(folder, 'here');

    const { stdout } = await check(here, ['.', '../other', '--json']);
    const strict = await check(here, ['.', '../other', '--require-closure']);

    expect(JSON.parse(stdout).not_checked).toMatchObject([
      { file: '../other/package.json', reason: 'no_lockfile' },
      { file: '../other/pyproject.toml', reason: 'incomplete' },
    ]);
    expect(strict.code).toBe(1);
  });

  it('adds files from the folder above', async () => {
    const folder = makeProject({
      'package-lock.json': lockOf([]),
      'build-requirements.txt': toList('flit-core==3.9.0'),
      'packages/a/package.json': asksNpm,
      'packages/a/pyproject.toml': toBuild('flit_core'),
    });
    const above = ['../../package-lock.json', '../../build-requirements.txt'];

    const { stdout } = await check(join(folder, 'packages', 'a'), ['.', ...above, '--json']);

    expect(JSON.parse(stdout).not_checked).toEqual([]);
  });
});

it('does not use build requirements as the lockfile of a Pipfile', async () => {
  const folder = makeProject({ Pipfile: '', 'build-requirements.txt': toList('flit-core==3.9.0') });

  const { stdout } = await check(folder, ['--json']);

  expect(JSON.parse(stdout).not_checked).toMatchObject([
    { file: 'Pipfile', reason: 'no_lockfile' },
  ]);
});

describe('files', () => {
  it('are checked once, whatever path names them', async () => {
    const folder = makeProject({ 'package-lock.json': lockOf([]) });
    writeFileSync(join(folder, 'pyproject.toml'), toBuild('x==1'));
    const all = ['package-lock.json', 'pyproject.toml'].flatMap((name) => [
      ...[name, `./${name}`, join(folder, name)],
    ]);

    const { stdout } = await check(folder, ['.', ...all, '--json']);

    expect(listFiles(stdout)).toEqual(['package-lock.json', 'pyproject.toml']);
  });

  // Root may read everything.
  it.skipIf(process.getuid?.() === 0)('without read permission are findings', async () => {
    const folder = makeProject({ 'a/yarn.lock': '', 'b/yarn.lock': '', 'yarn.lock': '' });
    chmodSync(join(folder, 'a'), 0);
    chmodSync(join(folder, 'b', 'yarn.lock'), 0);

    const { code, stdout } = await check(folder);
    const named = await check(folder, ['b/yarn.lock']);
    chmodSync(join(folder, 'a'), 0o755);

    expect(code).toBe(1);
    expect(stdout).toMatch(/^unreadable +a .*permission denied/m);
    expect(stdout).toMatch(/^unreadable +b\/yarn\.lock .*permission denied/m);
    expect(named.code).toBe(2);
  });

  it('of any name are read in the format of --format, one at a time', async () => {
    const folder = makeProject({ 'deps.in': 'worst==1.0.0\n', 'yarn.lock': '' });
    const format = ['--format', 'requirements.txt', '--json'];

    const named = await check(folder, ['deps.in', ...format]);
    const piped = await check(folder, ['-', ...format], { stdin: 'worst==1.0.0\n' });
    const two = await check(folder, ['deps.in', 'yarn.lock', ...format]);
    const found = await check(folder, ['.', ...format]);
    const none = await check(folder, ['deps.in', '--format', 'nothing']);

    for (const { code, stdout } of [named, piped]) {
      expect(code).toBe(1);
      expect(JSON.parse(stdout).packages).toMatchObject([{ name: 'worst', ecosystem: 'pypi' }]);
    }
    for (const { code, stderr } of [two, found]) {
      expect(code).toBe(2);
      expect(stderr).toContain('--format is for one file');
    }
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('package-lock.json') });
  });

  it('that refer to other files are listed', async () => {
    const folder = makeProject({
      'web/package-lock.json': lockOf([]),
      'web/package.json': asksNpm,
      'web/part/package.json': asksNpm,
      'tools/package.json': asksNpm,
      'types/package.json': '{"type": "module"}',
      'bun/package.json': asksNpm,
      'bun/bun.lockb': '',
      'py/pyproject.toml': '[project]\ndependencies = ["flask"]\n',
      'lint/pyproject.toml': '[tool.ruff]\nline-length = 100\n',
      'app/build.gradle.kts': 'dependencies { implementation("a:b:1.0") }\n',
      'go/go.sum': '',
    });
    const env = { GITHUB_ACTIONS: 'true' };

    const { code, stderr } = await check(folder, ['--markdown', 'x.md'], { env });
    const report = JSON.parse((await check(folder, ['--json'])).stdout);

    expect(code).toBe(0);
    expect(report.not_checked).toMatchObject([
      { file: 'app/build.gradle.kts', reason: 'no_lockfile' },
      { file: 'bun/bun.lockb', reason: 'not_read' },
      { file: 'go/go.sum', reason: 'other_ecosystem' },
      { file: 'tools/package.json', reason: 'no_lockfile' },
      { file: 'py/pyproject.toml', reason: 'incomplete' },
    ]);
    expect(listFiles(JSON.stringify(report))).toEqual([
      'web/package-lock.json',
      'py/pyproject.toml',
    ]);
    expect(stderr).toMatch(
      /^warning: tools\/package\.json: There is no lockfile beside or above it, .*npm install --package-lock-only/m,
    );
    expect(stderr).toMatch(/^warning: bun\/bun\.lockb: .*bun install --save-text-lockfile/m);
    expect(stderr).toMatch(/^::warning file=go\/go\.sum,title=not checked::/m);
    expect(read(folder, 'x.md')).toMatch(/^Not checked:\n\n- app/m);
  });
});

describe('a folder without a lockfile', () => {
  it('names the file that should have one, and the command that creates it', async () => {
    const folder = makeProject({ 'package.json': '{"dependencies": {"a": "^1"}}' });

    const searched = await check(folder, []);
    const named = await check(folder, ['package.json']);

    expect(searched.code).toBe(2);
    expect(searched.stderr).toMatch(
      /in this folder\. package\.json: There is no lockfile .*npm install --package-lock-only/,
    );
    expect(named.code).toBe(1);
    expect(named.stdout).toMatch(/Check its lockfile instead, which `npm install/);
  });

  it('fails a check that needs complete lists, beside a list that was checked', async () => {
    const folder = makeProject({
      'web/package-lock.json': lockOf([]),
      'tools/package.json': '{"dependencies": {"a": "^1"}}',
      'go/go.sum': '',
    });

    const lenient = await check(folder, []);
    const strict = await check(folder, ['--require-closure']);

    expect([lenient.code, strict.code]).toEqual([0, 1]);
    expect(strict.stderr).toContain('--require-closure failed: 1 file does not list everything');
  });
});

it('removes the reports of an earlier check if the registry does not answer', async () => {
  const folder = makeProject({ 'package-lock.json': lockOf([]), 'x.xml': 'stale' });
  const env = { REGISTRY_URL: 'http://127.0.0.1:9' };

  const { code } = await check(folder, ['--junit', 'x.xml'], { env });

  expect(code).toBe(3);
  expect(existsSync(join(folder, 'x.xml'))).toBe(false);
});

describe('an incomplete dependency list', () => {
  const coordinates = '<groupId>com.example</groupId><artifactId>shop</artifactId>';
  const pom = `<project><modelVersion>4.0.0</modelVersion>${coordinates}<version>1</version><dependencies><dependency><groupId>org.example</groupId><artifactId>web</artifactId></dependency></dependencies></project>`;
  const tree = (artifact: string) =>
    `com.example:${artifact}:jar:1\n+- org.example:web:jar:6.0:compile\n`;

  it('causes a warning, and fails if complete lists are required', async () => {
    const folder = makeProject({ 'requirements.txt': 'flask==3.0.0\n' });

    const { code, stderr } = await check(folder, ['--markdown', 'x.md'], {
      env: { GITHUB_ACTIONS: 'true' },
    });
    const strict = await check(folder, ['--require-closure', '--json']);

    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: requirements\.txt: .*uv pip compile --generate-hashes/m);
    expect(stderr).toMatch(/^::warning file=requirements\.txt,title=not checked::/m);
    expect(read(folder, 'x.md')).toContain('neither hashes nor notes');
    expect(strict.code).toBe(1);
    expect(JSON.parse(strict.stdout)).toMatchObject({
      allowed: false,
      ...{ closure_required: true, files: [{ complete: false }] },
      not_checked: [{ file: 'requirements.txt', reason: 'incomplete' }],
    });
    expect(strict.stderr).toContain(
      '--require-closure failed: 1 file does not list everything that is installed. The 1 package in 1 file is allowed.',
    );
  });

  it.each([
    ['hashes', `flask==3.0.0 --hash=sha256:${'a'.repeat(64)}\n`],
    ['notes', 'flask==3.0.0\n    # via -r requirements.in\n'],
  ])('is not one with %s', async (_, text) => {
    const folder = makeProject({ 'requirements.txt': text });

    const { code, stdout, stderr } = await check(folder, ['--require-closure']);
    const report = JSON.parse((await check(folder, ['--json'])).stdout);
    const note = 'It does not say which packages have no wheel';

    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).not.toContain('warning');
    expect(stderr).toMatch(new RegExp(`^requirements\\.txt: ${note}`, 'm'));
    expect(report).toMatchObject({
      files: [{ complete: true, built_from_source: null }],
      notes: [{ file: 'requirements.txt', message: expect.stringContaining(note) }],
    });
  });

  it('appears in every report format, as a warning or as a failure if complete lists are required', async () => {
    const folder = makeProject({
      'uv.lock': exampleText('uv-0.13/built/uv.lock'),
      'pyproject.toml': '[build-system]\nrequires = ["hatchling>=1.20"]\n',
      'go.sum': '',
    });
    const flags = ['--junit', 'x.xml', '--sarif', 'x.sarif', '--markdown', 'x.md'];
    const readReports = () => ({
      junit: read(folder, 'x.xml'),
      levels: JSON.parse(read(folder, 'x.sarif')).runs[0].results.map(
        ({ ruleId, level, locations }: Result) => [
          ...[ruleId, level, locations?.[0]?.physicalLocation?.artifactLocation?.uri],
        ],
      ),
    });

    const { code, stderr } = await check(folder, flags);
    const lenient = readReports();
    const env = { GITHUB_ACTIONS: 'true' };
    const strict = await check(folder, [...flags, '--require-closure'], { env });
    const failing = readReports();

    expect([code, strict.code]).toEqual([0, 1]);
    expect(stderr).toMatch(/^warning: uv\.lock: It has no wheel of docopt@0\.6\.2/m);
    expect(stderr).toMatch(
      /^warning: pyproject\.toml: Its build requires hatchling>=1\.20, editables/m,
    );
    expect(read(folder, 'x.md')).toMatch(/hatchling.*build\\-requirements\\\.txt$/m);
    expect(lenient.levels).toEqual([
      ['other_ecosystem', 'warning', 'go.sum'],
      ['incomplete', 'warning', 'uv.lock'],
      ['incomplete', 'warning', 'pyproject.toml'],
    ]);
    expect(failing.levels.map(([, level]: string[]) => level)).toEqual([
      'warning',
      'error',
      'error',
    ]);
    expect(strict.stderr.match(/^::\w+ file=[^,]+/gm)).toEqual([
      ...['::error file=uv.lock', '::error file=pyproject.toml', '::warning file=go.sum'],
    ]);
    expect(strict.stderr).toMatch(
      /--require-closure failed: 2 files do not list .* All \d+ packages/,
    );
    for (const { junit } of [lenient, failing]) expect(XMLValidator.validate(junit)).toBe(true);
    expect(lenient.junit).toContain('tests="7" failures="0" errors="0" skipped="3"');
    expect(lenient.junit).toMatch(/<testsuite name="go\.sum" tests="1" failures="0"/);
    expect(failing.junit).toContain('tests="7" failures="2" errors="0" skipped="1"');
    expect(failing.junit).toContain('<failure type="incomplete" message="Its build requires');
  });

  it('is complete with a list of build requirements, which is checked too', async () => {
    const folder = makeProject({
      'uv.lock': exampleText('uv-0.13/built/uv.lock'),
      'pyproject.toml': '[build-system]\nrequires = ["flit_core"]\n',
      'build-requirements.txt': `flit-core==3.9.0 --hash=sha256:${'a'.repeat(64)}\nworst==1.0.0\n`,
    });

    const { code, stdout } = await check(folder, ['--require-closure', '--json']);

    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ not_checked: [], notes: [] },
      files: [{ file: 'build-requirements.txt' }, { file: 'uv.lock', complete: true }],
      packages: [{ name: 'worst', status: 'rejected' }, {}, {}, {}, {}, {}],
    });
  });

  it('does not include a POM with its dependency tree beside it', async () => {
    const settled = makeProject({ 'pom.xml': pom, 'dependency-tree.txt': tree('shop') });
    const ofAnother = makeProject({ 'pom.xml': pom, 'dependency-tree.txt': tree('other') });
    const plugin =
      '<build><plugins><plugin><artifactId>maven-war-plugin</artifactId></plugin></plugins></build>';
    const building = makeProject({
      'pom.xml': pom.replace('</project>', `${plugin}</project>`),
      'dependency-tree.txt': tree('shop'),
    });
    const elsewhere = makeProject({ 'pom.xml': pom, 'part/dependency-tree.txt': tree('shop') });

    const whole = await check(settled, ['--require-closure', '--json']);
    const built = await check(building, ['--require-closure', '--markdown', 'x.md']);
    const others = [await check(ofAnother), await check(elsewhere)];

    expect(whole.code).toBe(0);
    expect(JSON.parse(whole.stdout).packages).toMatchObject([
      { name: 'org.example:web', version: '6.0', status: 'approved' },
    ]);
    expect(built.code).toBe(0);
    const note = 'No list has what builds the project: org.apache.maven.plugins:maven-war-plugin,';
    expect(built.stderr).toContain(`pom.xml: ${note}`);
    expect(read(building, 'x.md')).toContain('maven\\-war\\-plugin');
    for (const { code, stdout, stderr } of others) {
      expect(code).toBe(1);
      expect(stdout).toMatch(/^unpinned +org\.example:web/m);
      expect(stderr).toContain('mvn -B dependency:tree -DoutputFile=dependency-tree.txt');
    }
  });
});

describe('a folder without a supported file', () => {
  it.each([
    [
      'verification-metadata.xml',
      '<verification-metadata/>',
      'verification-metadata.xml: It is a list of checksums by Gradle, which is not read',
    ],
    ['bom.xml', '', 'bom.xml: It is CycloneDX as XML, which is not read: write it as JSON'],
    [
      'deploy.yaml',
      'apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: nginx:1\n',
      'deploy.yaml: It is a Kubernetes manifest, which is not read',
    ],
  ])('names its contents and the files to check instead: %s', async (name, text, said) => {
    const folder = makeProject({ [name]: text, 'README.md': '' });
    const besides = makeProject({ [name]: text, 'package-lock.json': lockOf([]) });

    const alone = await check(folder);
    const named = await check(folder, [name]);
    const { stderr } = await check(besides);

    expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
    expect(named.code).toBe(1);
    expect(named.stdout).toContain(said.slice(said.indexOf('It is')));
    expect(stderr).toContain(`warning: ${said}`);
  });
});

it('does not mention the Gradle checksums beside a lockfile', async () => {
  const folder = makeProject({
    'gradle.lockfile': 'a:b:1=c\n',
    'gradle/verification-metadata.xml': '<verification-metadata/>',
  });

  const { code, stderr } = await check(folder);

  expect(code).toBe(0);
  expect(stderr).not.toContain('verification-metadata');
});

describe('a job of GitHub Actions', () => {
  const command = '##[add-mask]x ::error::x';
  const hostile = `No.\n::set-output name=a::b\n${command}\u001b[2J`;
  const makeHostile = () => {
    said.set('evil', reject(hostile));
    return makeProject({ 'package-lock.json': lockOf(['evil']) });
  };
  const env = { GITHUB_ACTIONS: 'true' };

  const outputs = ['', '--json', '--jsonl', '--sarif -', '--junit -', '--markdown -'];
  it.each(outputs)('gets no workflow commands from package data: %s', async (typed) => {
    const flags = typed.split(' ').filter(Boolean);
    const folder = makeHostile();

    const { code, stdout, stderr } = await check(folder, flags, { env });

    expect(code).toBe(1);
    for (const text of [stdout, stderr]) {
      expect(text).not.toContain('##[');
      const commands = text.split('\n').filter((line) => /^\s*::/.test(line));
      expect(commands.filter((line) => !line.startsWith('::error file='))).toEqual([]);
      expect(text.replaceAll('\u001b[K', '')).not.toContain('\u001b');
    }
    if (flags.includes('--json')) {
      const [{ reasons }] = JSON.parse(stdout).packages;
      expect(reasons[0].message).toBe(hostile);
    }
    if (flags.includes('--junit')) {
      expect(XMLValidator.validate(stdout)).toBe(true);
      const parser = new XMLParser({ ignoreAttributes: false, htmlEntities: true });
      const [first] = parser.parse(stdout).testsuites.testsuite.testcase;
      expect(first.failure['@_message']).toContain('##[add-mask]x');
    }
  });

  it('finds files from the root of its repository', async () => {
    const folder = makeProject({ 'part/package-lock.json': lockOf(['worst']) });
    const part = join(folder, 'part');
    const inJob = { env: { ...env, GITHUB_WORKSPACE: folder } };

    const { stderr } = await check(part, ['--sarif', 'x.sarif'], inJob);

    expect(stderr).toMatch(
      /^::error file=part\/package-lock\.json,line=\d+,.*Transitive via root@/m,
    );
    const [{ results }] = JSON.parse(read(part, 'x.sarif')).runs;
    expect(results[0]).toMatchObject({
      message: { text: 'npm:worst@1.0.0: Never. Transitive via root@1.0.0.' },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'part/package-lock.json' } } }],
    });
  });
});

describe('a report', () => {
  it('in JUnit is well-formed for every package name, and shows the dependency path', async () => {
    const folder = makeProject({
      'requirements.txt': 'true\n',
      'package-lock.json': lockOf(['worst']),
    });

    await check(folder, ['--junit', 'new/folder/x.xml']);

    const text = read(folder, 'new/folder/x.xml');
    expect(XMLValidator.validate(text)).toBe(true);
    const sums = 'tests="4" failures="2" errors="0" skipped="1" time="0"';
    expect(text).toContain(`<testsuites name="registry check" ${sums}>`);
    expect(text).toContain('name="true"');
    expect(text).toMatch(/Never\. Where: package-lock\.json:\d+, transitive via root@1\.0\.0\./);
  });

  it('in Markdown fits in a comment, and shows the number of omitted packages with the command for them', async () => {
    const names = Array.from({ length: 300 }, (_, at) => `p-${at}-${'-'.repeat(150)}`);
    for (const name of names)
      said.set(name, { ...unknown, reasons: [{ code: 'x', message: '<'.repeat(900) }] });
    const folder = makeProject({ 'package-lock.json': lockOf(names) });

    await check(folder, ['--markdown', 'x.md']);

    const text = read(folder, 'x.md');
    expect(text.length).toBeGreaterThan(40_000);
    expect(text.length).toBeLessThan(60_000);
    const rows = text.match(/^\| unknown/gm)?.length ?? 0;
    expect(text).toContain(`And ${300 - rows} more.`);
    expect(text).toContain(
      'To submit the 300 versions that are not in the registry, run `registry check --submit`.',
    );
    expect(text).toMatch(/via root/);
  });

  it('shows the tag of an image with its digest, shortened in a table', async () => {
    const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
    said.set('nginx', reject('No.'));
    const folder = makeProject({ Dockerfile: `FROM nginx:1.27@${digest}\n` });

    const { stdout } = await check(folder);
    const report = JSON.parse((await check(folder, ['--json'])).stdout);

    expect(stdout).toContain('1.27 (sha256:0123456789ab…)');
    expect(report.packages[0]).toMatchObject({ version: '1.27', digest });
  });

  it('counts approved packages with issues, and the lookups of nearest versions', async () => {
    said.set('doubtful', {
      ...approved,
      reasons: [{ code: 'deprecated', message: 'It is deprecated.' }],
    });
    const names = Array.from({ length: 25 }, (_, at) => `far-${at}`);
    for (const [at, name] of names.entries()) {
      said.set(name, { ...reject('No.'), ...(at < 20 && { nearest_approved: null }) });
    }
    const folder = makeProject({ 'package-lock.json': lockOf(['doubtful', ...names]) });

    const { stderr } = await check(folder);

    expect(stderr).toContain(
      '1 approved version has issues today.\nnpm:doubtful@1.0.0: It is deprecated.\n',
    );
    expect(stderr).toContain('The nearest approved version is shown for the 20 worst packages.');
  });

  it('is shortened in a terminal, and complete in a pipe', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `many-${at}`);
    for (const name of names) said.set(name, reject('No.'));
    const folder = makeProject({ 'package-lock.json': lockOf(names) });

    const shown = commandLine.inTerminal(['check', folder], {
      env: { REGISTRY_URL: server.url },
      columns: 200,
    });
    const code = await shown.end();
    const { stdout } = await check(folder);

    expect(code).toBe(1);
    expect(shown.screen().match(/npm:many-\d+@/g)).toHaveLength(50);
    expect(shown.screen()).toContain('And 10 more; --json has all.');
    expect(stdout.match(/npm:many-\d+@/g)).toHaveLength(60);
  });
});

describe('docs/check-in-ci.md', () => {
  it('has a pre-commit hook that runs only for supported file names, and checks the folder', () => {
    const page = readFileSync('docs/check-in-ci.md', 'utf8');
    const [, yaml = ''] = /```yaml\n(repos:.*?)```/s.exec(page) ?? [];
    const { repos } = readYaml(yaml) as { repos: { hooks: { files: string }[] }[] };
    const [hook] = repos[0]?.hooks ?? [];
    const pattern = new RegExp(hook?.files ?? '');
    const names = [
      ...['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock'],
      ...['requirements.txt', 'requirements-dev.txt', 'dev-requirements.txt', 'constraints.txt'],
      ...['requirements/base.txt', 'requirements.lock', 'poetry.lock', 'uv.lock', 'tool.py.lock'],
      ...['pdm.lock', 'pdm.dev.lock', 'pyproject.toml'],
      ...['Pipfile.lock', 'pylock.toml', 'pylock.dev.toml', 'pom.xml', 'lib-1.0.pom'],
      ...['gradle.lockfile', 'buildscript-gradle.lockfile', 'dependency-locks/a.lockfile'],
      ...['dependency-list.txt', 'mvn-dependency-tree.txt', 'maven-dependency-list.txt'],
      ...['Dockerfile', 'dockerfile', 'Dockerfile.dev', 'Containerfile', 'app.Dockerfile'],
      ...['app.dockerfile', 'compose.yaml', 'compose.yml', 'docker-compose.yml'],
      ...['docker-compose.prod.yml', 'podman-compose.yaml', 'compose-dev.yaml'],
      ...['bom.json', 'app.cdx.json', 'app.spdx.json', 'app.spdx'],
      ...['package.json', 'Cargo.lock', 'README.md', 'compose.txt', 'Dockerfile.dockerignore'],
      ...['notes.txt', 'bun.lockb', 'my-yarn.lock', 'decompose.yaml', 'pom.xml.bak'],
    ];

    // A file alone has less information than with its lockfile.
    expect(hook).toMatchObject({ entry: 'registry check', pass_filenames: false });
    for (const name of names.flatMap((one) => [one, `some/folder/${one}`])) {
      expect([name, pattern.test(name)]).toEqual([name, findDependencyFormat(name) !== undefined]);
    }
  });
});
