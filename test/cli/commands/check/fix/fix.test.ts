import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Result } from 'sarif';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CommandLine, type RunOptions } from '../../../../support/command-line.ts';
import { digestOf, type ImageRegistry, startImageRegistry } from './image-registry.ts';

let registry: ImageRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  registry = await startImageRegistry();
  commandLine = CommandLine.install();
  await registry.approve('node', '22');
  await registry.approve('nginx', 'latest');
  await registry.approveUnknown('mongo', '8');
});
beforeEach(() => registry.onCheck(() => {}));
afterAll(async () => {
  commandLine.remove();
  await registry.close();
});

const node = digestOf('node', '22');
const nginx = digestOf('nginx', 'latest');
const stranger = `sha256:${'e'.repeat(64)}`;

const makeProject = (files: Readonly<Record<string, string | Uint8Array>>): string => {
  const folder = mkdtempSync(join(commandLine.folder, 'project-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
};
const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');
const check = (cwd: string, args: readonly string[], options: RunOptions = {}) =>
  commandLine.run(['check', ...args], {
    ...options,
    cwd,
    env: { REGISTRY_URL: registry.url, ...options.env },
  });
const checkJson = async (cwd: string, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await check(cwd, ['--json', ...args]);
  return { code, stderr, report: JSON.parse(stdout) };
};

describe('a tag without a digest', () => {
  const files = { Dockerfile: 'FROM node:22\nCOPY --from=mongo:8 a b\n' };

  it('is allowed with a warning of one line, and so is one whose approval pinned nothing', async () => {
    const folder = makeProject(files);

    const { code, stderr } = await check(folder, []);

    expect(code).toBe(0);
    expect(stderr.split('\n')).toEqual([
      `Dockerfile:1: node:22 is a tag: pinned to ${node} at approval.`,
      '1 allowed image is a tag without a digest: registry check --fix writes the digests.',
      '1 allowed image is a tag whose approval pinned no digest.',
      'All 2 packages in 1 file are allowed.',
      '',
    ]);
    expect(read(folder, 'Dockerfile')).toBe(files.Dockerfile);
  });

  it('has its digest in each report', async () => {
    const folder = makeProject(files);
    const sarif = join(folder, 'check.sarif');
    const markdown = join(folder, 'check.md');

    const { report } = await checkJson(folder, '--sarif', sarif, '--markdown', markdown);
    const { stderr } = await check(folder, [], { env: { GITHUB_ACTIONS: 'true' } });

    expect(report).toMatchObject({
      ...{ allowed: true, tags: { pinned: 1, not_pinned: 1 }, fixed: null, not_fixed: null },
      packages: [{ name: 'node', version: '22', pinned_digest: node }, { name: 'mongo' }],
    });
    expect(report.packages[1]).not.toHaveProperty('pinned_digest');
    const results: Result[] = JSON.parse(readFileSync(sarif, 'utf8')).runs[0].results;
    expect(results).toMatchObject([
      {
        ...{ ruleId: 'tag', level: 'warning' },
        message: { text: `node:22 is a tag: pinned to ${node} at approval.` },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'Dockerfile' } } }],
      },
    ]);
    expect(readFileSync(markdown, 'utf8')).toContain('pinned to sha256');
    expect(stderr).toContain(
      '::warning file=Dockerfile,line=1,title=image without a digest::node:22 is a tag',
    );
  });

  it('is pinned by --fix, after which nothing is left to do', async () => {
    const folder = makeProject({
      ...files,
      'compose.yaml': 'services:\n  web: { image: nginx }\n',
    });

    const first = await check(folder, ['--fix']);
    const second = await checkJson(folder, '--fix');

    expect(first.code).toBe(0);
    expect(first.stderr.split('\n')).toEqual([
      `Dockerfile:1: node:22 is now node:22@${node}.`,
      `compose.yaml:2: nginx is now nginx:latest@${nginx}.`,
      '2 images were pinned.',
      '1 allowed image is a tag whose approval pinned no digest.',
      'All 3 packages in 2 files are allowed.',
      '',
    ]);
    expect(read(folder, 'Dockerfile')).toBe(`FROM node:22@${node}\nCOPY --from=mongo:8 a b\n`);
    expect(read(folder, 'compose.yaml')).toBe(
      `services:\n  web: { image: nginx:latest@${nginx} }\n`,
    );
    expect(second.report).toMatchObject({ fixed: [], not_fixed: [], tags: { pinned: 0 } });
    expect(second.report.packages).toMatchObject([
      { name: 'node', version: '22', digest: node, content: 'same', allowed: true },
      { name: 'mongo' },
      { name: 'nginx', version: 'latest', digest: nginx, content: 'same', allowed: true },
    ]);
    expect(readdirSync(folder).toSorted()).toEqual(['Dockerfile', 'compose.yaml']);
  });
});

it('lists what it changed in JSON', async () => {
  const folder = makeProject({ Dockerfile: 'FROM node:22\nFROM redis:7\nFROM node:$V\n' });

  const { code, report } = await checkJson(folder, '--fix');

  expect(code).toBe(1);
  expect(report.fixed).toEqual([
    { file: 'Dockerfile', line: 1, image: 'node:22', pinned: `node:22@${node}` },
  ]);
  expect(report.not_fixed).toEqual([
    {
      ...{ file: 'Dockerfile', line: 3, image: 'node:$V', reason: 'variable' },
      message: 'It has a variable. Write the digest where its value is set.',
    },
  ]);
  expect(report.packages).toMatchObject([
    { name: 'node:$V', status: 'unpinned' },
    { name: 'redis', status: 'unknown' },
    { name: 'node', status: 'approved' },
  ]);
});

it('reports another digest, and leaves it to a person', async () => {
  const text = `FROM node:22@${stranger}\n`;
  const folder = makeProject({ Dockerfile: text });

  const { code, report } = await checkJson(folder, '--fix');
  const { stderr, stdout } = await check(folder, ['--fix']);

  expect(code).toBe(1);
  expect(read(folder, 'Dockerfile')).toBe(text);
  expect(report.packages).toMatchObject([
    {
      ...{ name: 'node', version: '22', digest: stranger, status: 'other_content' },
      pinned_digest: node,
    },
  ]);
  expect(report.not_fixed).toMatchObject([
    { file: 'Dockerfile', line: 1, image: `node:22@${stranger}`, reason: 'other_digest' },
  ]);
  expect(stderr).toContain(`which is ${node}. Find out why before you change it.`);
  expect(stdout).toContain('docker:node@22 (sha256:eeeeeeeeeeee…)');
  expect(stdout).not.toContain('Approved: 22.');
});

it('checks two tags of one digest apart from each other', async () => {
  const folder = makeProject({ Dockerfile: `FROM node:22@${node}\nFROM nginx:latest@${node}\n` });

  const { report } = await checkJson(folder);

  expect(report.packages).toMatchObject([
    { name: 'nginx', status: 'other_content', pinned_digest: nginx },
    { name: 'node', status: 'approved' },
  ]);
});

it('keeps own packages, the mode of a file, its byte order mark and its encoding', async () => {
  const own = 'FROM registry.example.com/own/app:1\r\n';
  const compose = (image: string): Buffer =>
    Buffer.from(`\ufeffservices:\r\n  a: { image: ${image} }\r\n`, 'utf16le');
  const folder = makeProject({
    'a/Dockerfile': `\ufeff${own}FROM node:22 \r\n`,
    'b/compose.yaml': compose('node:22'),
    'c/compose.yaml': compose('nginx').swap16(),
  });
  chmodSync(join(folder, 'a', 'Dockerfile'), 0o640);

  const { report } = await checkJson(folder, '--fix');

  expect(report.fixed).toHaveLength(3);
  expect(read(folder, 'a/Dockerfile')).toBe(`\ufeff${own}FROM node:22@${node} \r\n`);
  expect(statSync(join(folder, 'a', 'Dockerfile')).mode & 0o7777).toBe(0o640);
  const b = readFileSync(join(folder, 'b', 'compose.yaml'));
  expect(b.equals(compose(`node:22@${node}`))).toBe(true);
  const c = readFileSync(join(folder, 'c', 'compose.yaml'));
  expect(c.equals(compose(`nginx:latest@${nginx}`).swap16())).toBe(true);
});

it('follows a link inside the project, and does not follow one that leads out of it', async () => {
  const outside = makeProject({ Dockerfile: 'FROM node:22\n' });
  const folder = makeProject({ 'real/Dockerfile.base': 'FROM node:22\n' });
  symlinkSync('real/Dockerfile.base', join(folder, 'Dockerfile'));
  symlinkSync(join(outside, 'Dockerfile'), join(folder, 'Dockerfile.out'));

  const { report } = await checkJson(folder, '--fix');

  expect(report.fixed).toHaveLength(1);
  expect(read(folder, 'real/Dockerfile.base')).toBe(`FROM node:22@${node}\n`);
  expect(lstatSync(join(folder, 'Dockerfile')).isSymbolicLink()).toBe(true);
  expect(read(outside, 'Dockerfile')).toBe('FROM node:22\n');
  expect(report.not_fixed).toMatchObject([{ file: 'Dockerfile.out', reason: 'link' }]);
});

it('writes a named file outside the current folder', async () => {
  const outside = makeProject({ Dockerfile: 'FROM node:22\n' });

  await check(makeProject({}), [join(outside, 'Dockerfile'), '--fix']);

  expect(read(outside, 'Dockerfile')).toBe(`FROM node:22@${node}\n`);
});

it('does not overwrite a file that changed since it was read', async () => {
  const folder = makeProject({ Dockerfile: 'FROM node:22\n' });
  registry.onCheck(() => writeFileSync(join(folder, 'Dockerfile'), 'FROM node:22\n# new\n'));

  const { report } = await checkJson(folder, '--fix');

  expect(read(folder, 'Dockerfile')).toBe('FROM node:22\n# new\n');
  expect(report).toMatchObject({
    fixed: [],
    not_fixed: [{ image: 'node:22', reason: 'file' }],
  });
  expect(readdirSync(folder)).toEqual(['Dockerfile']);
});

it.each([
  [['-', '--format', 'Dockerfile', '--fix'], '--fix writes files, and not standard input'],
  [['docker:node@22', '--fix'], '--fix is for the files of a project'],
  [['--fix', '--setup'], 'Give only one of --fix and --setup.'],
])('refuses %j', async (args, message) => {
  const { code, stderr } = await check(makeProject({}), args, { stdin: 'FROM node:22\n' });

  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
});
