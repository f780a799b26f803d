import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';

let commandLine: CommandLine;
let folder: string;
beforeAll(() => {
  commandLine = CommandLine.install();
});
afterAll(() => commandLine.remove());
beforeEach(() => {
  folder = mkdtempSync(join(commandLine.folder, 'project-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Nothing listens there: the setup sends no request. */
const url = 'http://127.0.0.1:9/prod';
const env = { REGISTRY_URL: `${url}/`, REGISTRY_TOKEN: 'a-secret-token-of-more-than-32-chars' };

const write = (files: Readonly<Record<string, string>>): void => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
};
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const run = (...args: readonly string[]) =>
  commandLine.run(['check', '--setup', ...args], { cwd: folder, env });

const npmrc = `registry=${url}/npm/\nomit-lockfile-registry-resolved=true\n`;
const index = `url = "${url}/pypi/simple/"\ndefault = true\n`;

describe('check --setup --yes', () => {
  it.each([
    ['npm', { 'package-lock.json': '{}' }, '.npmrc', npmrc, 'npm ci'],
    ['npm', { 'package.json': '{}' }, '.npmrc', npmrc, 'npm ci'],
    ['pnpm', { 'pnpm-lock.yaml': '' }, '.npmrc', npmrc, 'pnpm install --frozen-lockfile'],
    ['Yarn 1', { 'yarn.lock': '# yarn lockfile v1' }, '.npmrc', npmrc, 'yarn install'],
    [
      'Yarn',
      { 'yarn.lock': '__metadata:\n  version: 8\n', '.yarnrc.yml': 'nodeLinker: node-modules\n' },
      '.yarnrc.yml',
      `nodeLinker: node-modules\nnpmRegistryServer: "${url}/npm/"\nunsafeHttpWhitelist: ["127.0.0.1"]\n`,
      'yarn install --immutable',
    ],
    ['Bun', { 'bun.lock': '{}' }, 'bunfig.toml', `[install]\nregistry = "${url}/npm/"\n`, 'bun'],
    ['uv', { 'uv.lock': '' }, 'uv.toml', `[[index]]\n${index}`, 'uv lock && uv sync'],
    [
      'uv',
      { 'uv.lock': '', 'pyproject.toml': '[tool.uv]\nno-build = true\n' },
      'pyproject.toml',
      `[tool.uv]\nno-build = true\n\n[[tool.uv.index]]\n${index}`,
      'uv lock && uv sync',
    ],
    [
      'pip',
      { 'requirements.txt': '-i https://mirror.example.com/simple\nflask==3.1.0\n' },
      'requirements.txt',
      `--index-url ${url}/pypi/simple/\nflask==3.1.0\n`,
      'pip install -r requirements.txt',
    ],
  ])('writes the configuration of %s', async (client, files, file, text, next) => {
    write(files);

    const { code, stdout, stderr } = await run('--yes');

    expect(code).toBe(0);
    expect(read(file)).toBe(text);
    expect(stdout).toContain(`${file} (${client})`);
    expect(stderr).toContain(`Next, install through the gate: ${next}`);
  });

  it('writes settings of Maven, which the project names, with strict checksums', async () => {
    write({ 'pom.xml': '<project/>', '.mvn/maven.config': '-T1C\n' });

    expect((await run('--yes')).code).toBe(0);

    expect(read('.mvn/maven.config')).toBe('-T1C\n-s\n.mvn/settings.xml\n-C\n');
    expect(read('.mvn/settings.xml')).toContain(
      `<mirrorOf>*</mirrorOf>\n      <url>${url}/maven/</url>`,
    );
  });

  it('lets lockfiles have the addresses of a registry that others reach, too', async () => {
    write({ 'package-lock.json': '{}' });
    const REGISTRY_URL = 'https://registry.example.com/prod';
    const options = { cwd: folder, env: { ...env, REGISTRY_URL } };

    const { code } = await commandLine.run(['check', '--setup', '--yes'], options);

    expect(code).toBe(0);
    expect(read('.npmrc')).toBe(`registry=${REGISTRY_URL}/npm/\n`);
  });

  it('keeps other settings, comments and the mode, and changes nothing the second time', async () => {
    write({
      'package-lock.json': '{}',
      '.npmrc':
        '; ours\nregistry = https://mirror.example.com/\n@acme:registry=https://a.example/\n',
    });
    chmodSync(join(folder, '.npmrc'), 0o600);

    await run('--yes');
    const first = read('.npmrc');
    const second = await run();

    expect(first).toBe(
      `; ours\nregistry=${url}/npm/\n@acme:registry=https://a.example/\nomit-lockfile-registry-resolved=true\n`,
    );
    expect(read('.npmrc')).toBe(first);
    expect(second).toMatchObject({ code: 0, stdout: '.npmrc (npm): is right already.\n' });
    expect(statSync(join(folder, '.npmrc')).mode & 0o777).toBe(0o600);
    expect(first).not.toContain(env.REGISTRY_TOKEN);
  });

  it.each([
    [
      'another default index',
      {
        'uv.lock': '',
        'pyproject.toml': '[[tool.uv.index]]\nurl = "https://a.example"\ndefault = true\n',
      },
      'pyproject.toml',
    ],
    [
      'an inline list of indexes',
      { 'uv.lock': '', 'pyproject.toml': '[tool.uv]\nindex = [{ url = "https://a.example" }]\n' },
      'pyproject.toml',
    ],
    ['no valid TOML', { 'uv.lock': '', 'uv.toml': '[[[\n' }, 'uv.toml'],
    [
      'settings of its own',
      { 'pom.xml': '', '.mvn/settings.xml': '<settings/>' },
      '.mvn/settings.xml',
    ],
    ['Poetry', { 'poetry.lock': '', 'pyproject.toml': '[tool.poetry]\n' }, 'pyproject.toml'],
  ])('shows what to write by hand for %s, and leaves the file alone', async (_, files, file) => {
    write(files);
    const before = read(file);

    const { code, stdout, stderr } = await run('--yes');

    expect(code).toBe(1);
    expect(read(file)).toBe(before);
    expect(stdout).toContain(`${file}`);
    expect(stdout).toContain('cannot be changed safely. Write this by hand:');
    expect(stdout).toContain(url);
    expect(stderr).toContain('by hand');
  });

  it('follows no link out of the project', async () => {
    write({ 'package-lock.json': '{}' });
    const outside = join(commandLine.folder, 'outside');
    writeFileSync(outside, 'registry=https://a.example/\n');
    symlinkSync(outside, join(folder, '.npmrc'));

    expect((await run('--yes')).code).toBe(1);

    expect(readFileSync(outside, 'utf8')).toBe('registry=https://a.example/\n');
  });
});

describe('check --setup', () => {
  it('shows the changes, and writes nothing without an answer', async () => {
    write({ 'package-lock.json': '{}', '.npmrc': 'registry=https://a.example/\n' });

    const { code, stdout, stderr } = await run();

    expect(code).toBe(1);
    expect(stdout).toContain(`- registry=https://a.example/\n  + registry=${url}/npm/\n`);
    expect(stderr).toContain('Nothing was written. Add --yes to write it.');
    expect(read('.npmrc')).toBe('registry=https://a.example/\n');
  });

  it('asks at a terminal', async () => {
    write({ 'package-lock.json': '{}' });
    const terminal = commandLine.inTerminal(['check', '--setup', folder], { env });

    await terminal.shows('Write this file? [y/N]');
    terminal.type('y\r');

    expect(await terminal.end()).toBe(0);
    expect(read('.npmrc')).toBe(npmrc);
  });

  it('answers programs in JSON', async () => {
    write({ 'package-lock.json': '{}' });

    const { stdout } = await run('--yes', '--json');

    expect(JSON.parse(stdout)).toEqual({
      files: [{ client: 'npm', file: '.npmrc', change: 'new', content: npmrc }],
      written: true,
    });
  });

  it('refuses a folder without a package manager that the gate serves', async () => {
    const { code, stderr } = await run();

    expect(code).toBe(2);
    expect(stderr).toContain('has no lockfile or manifest');
    expect(existsSync(join(folder, '.npmrc'))).toBe(false);
  });

  it.each([
    [['check', '--yes'], '--yes needs --setup.'],
    [['check', '--setup', '--submit'], 'Give only one of --submit and --setup.'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await commandLine.run(args, { cwd: folder, env });

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
