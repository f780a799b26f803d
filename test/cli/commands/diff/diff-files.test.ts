import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diffFiles } from '../../../../cli/commands/diff/files/diff-files.ts';
import { NegativeResultError } from '../../../../cli/failure/negative-result-error.ts';
import { UsageError } from '../../../../cli/input/usage-error.ts';
import { readPackageText, type TypedPackage } from '../../../../cli/many/package-text.ts';
import type { Output } from '../../../../cli/output/terminal.ts';
import type { CommonFlags } from '../../../../cli/session/common-flags.ts';
import { createCredentials } from '../../../../cli/session/credentials.ts';
import { startSession } from '../../../../cli/session/session.ts';
import { UpstreamError } from '../../../../shared/util/outbound-http/upstream-error.ts';
import { CommandLine } from '../../../support/command-line.ts';
import { eventually } from '../../../support/eventually.ts';
import { type OriginServer, startOriginServer } from '../../../support/origin-server.ts';
import { packagePath, TestRegistry } from '../../../support/registry.ts';
import { makePackage, makeTarGz } from './make-archives.ts';

let origin: OriginServer;
let registry: TestRegistry;
let commandLine: CommandLine;
beforeAll(async () => {
  commandLine = CommandLine.install();
  origin = await startOriginServer();
  registry = await TestRegistry.start({ originUrl: origin.url, licenses: true });
});
afterAll(async () => {
  commandLine.remove();
  await registry.close();
  await origin.close();
});

const toIntegrity = (content: Buffer): string =>
  `sha512-${createHash('sha512').update(content).digest('base64')}`;

/** Publishes the versions of an npm package at the origin, and submits them. */
const publish = async (name: string, tarballs: Readonly<Record<string, Buffer>>): Promise<void> => {
  const versions = Object.entries(tarballs).map(([version, content]) => {
    const tarball = `${origin.url}/${name}-${version}.tgz`;
    origin.serve(`/${name}-${version}.tgz`, { body: content });
    const dist = { tarball, integrity: toIntegrity(content) };
    return [version, { name, version, license: 'MIT', dist }];
  });
  origin.serve(`/npm/${name}`, {
    body: { name, 'dist-tags': {}, time: {}, versions: Object.fromEntries(versions) },
  });
  for (const version of Object.keys(tarballs)) {
    await registry.submit({ ecosystem: 'npm', name, version, license: 'MIT' });
    await eventually(async () => {
      const { body } = await registry.get(packagePath(name, `/evidence?version=${version}`));
      expect(body.files).not.toBeNull();
    });
  }
};

const select = (text: string): TypedPackage => {
  const typed = readPackageText(text);
  if (!typed) throw new Error(`${text} is no package`);
  return typed;
};

/** Compares two versions, and returns what the command writes. */
const diff = async (before: string, after: string, flags: CommonFlags = {}): Promise<string> => {
  const written: string[] = [];
  const output: Output = {
    ...{ isTerminal: false, width: Number.POSITIVE_INFINITY },
    write: (text) => void written.push(text),
    style: (_style, text) => text,
  };
  const silent: Output = { ...output, write: () => {} };
  const settings = {
    url: { value: registry.url, source: 'test' },
    credentials: createCredentials([]),
    proxies: [],
  };
  const terminal = { out: output, err: silent, warn: () => {} };
  const session = startSession(settings, { flags, terminal, writes: false });
  await diffFiles(session, [select(before), select(after)]);
  return written.join('');
};

const older = makePackage({
  'package.json': '{\n  "name": "app"\n}\n',
  'index.js': 'one\n',
  'logo.png': Buffer.from([0, 1]),
  'gone.js': 'x\n',
});
const newer = makeTarGz([
  { name: 'package/package.json', content: '{\n  "name": "app",\n  "x": 1\n}\n' },
  { name: 'package/index.js', content: 'one\n::set-env name=A::b ##[x]\u001b[2J\n' },
  { name: 'package/logo.png', content: Buffer.from([0, 2]) },
  { name: 'package/run', content: 'new\n', mode: 0o755 },
  { name: 'package/link', type: '2', link: '/etc/passwd' },
]);

describe('the files of two versions', () => {
  it('are compared before and after an approval', async () => {
    await publish('app', { '1.0.0': older, '1.1.0': newer });

    const pending = await diff('npm:app@1.0.0', 'npm:app@1.1.0');
    await registry.post(packagePath('app', '/approve?version=1.0.0'));
    const approved = await diff('npm:app@1.0.0', 'npm:app@1.1.0');

    expect(approved).toBe(pending);
    expect(pending.split('\n')).toEqual([
      `Before  npm:app@1.0.0: app-1.0.0.tgz, ${toIntegrity(older)}`,
      `After   npm:app@1.1.0: app-1.1.0.tgz, ${toIntegrity(newer)}`,
      '',
      'Refused entries, which were not compared',
      'after  package/link: symbolic link',
      '',
      'Files: 1 added, 1 removed, 0 mode changed, 3 changed, 0 unchanged',
      'changed       package.json (20 to 30 bytes) runs at installation',
      'added         run (4 bytes, executable)',
      'removed       gone.js (2 bytes)',
      'changed       index.js (4 to 34 bytes)',
      expect.stringMatching(
        /^changed {7}logo\.png \(2 to 2 bytes, binary, not shown, sha256:\w{64}\)$/,
      ),
      '',
      '--- before/package.json',
      '+++ after/package.json',
      '@@ -1,3 +1,4 @@',
      ' {',
      '-  "name": "app"',
      '+  "name": "app",',
      '+  "x": 1',
      ' }',
      '',
      '--- before/index.js',
      '+++ after/index.js',
      '@@ -1 +1,2 @@',
      ' one',
      '+::set-env name=A::b ##\u200b[x]<U+001B>[2J',
      '',
      '--- /dev/null',
      '+++ after/run',
      '@@ -0,0 +1 @@',
      '+new',
      '',
    ]);
  });

  it('are compared for programs, too', async () => {
    const answer = await diff('npm:app@1.0.0', 'npm:app@1.1.0', { json: true });

    expect(answer).not.toContain('##[');
    expect(JSON.parse(answer)).toMatchObject({
      before: {
        package: { ecosystem: 'npm', name: 'app', version: '1.0.0' },
        ...{ file: 'app-1.0.0.tgz', digest: toIntegrity(older), other_files: 0 },
      },
      refused: [{ archive: 'after', path: 'package/link', reason: 'symbolic link' }],
      changes: [
        { path: 'package.json', runs_at_install: true, change: 'changed' },
        { path: 'gone.js', change: 'removed', diff: null },
        { path: 'index.js', omitted_lines: 0 },
        { path: 'logo.png', content: 'binary', diff: null },
        { path: 'run', after: { executable: true, size: 4 } },
      ],
      unchanged: 0,
    });
  });

  it('never lets a context line be a command of GitHub Actions', async () => {
    const text = '::error::x\n  ::error::y\n';
    await publish('commands', {
      '1.0.0': makePackage({ 'a.txt': text }),
      '2.0.0': makePackage({ 'a.txt': `${text}z\n` }),
    });

    const shown = await diff('npm:commands@1.0.0', 'npm:commands@2.0.0');

    expect(shown).toContain(' :\u200b:error::x\n   :\u200b:error::y\n+z');
  });
});

describe('registry diff --files', () => {
  const run = (...args: readonly string[]) =>
    commandLine.run(['diff', ...args, '--files'], { env: { REGISTRY_URL: registry.url } });

  it('compares with the approved version, which --since replaces', async () => {
    await publish('run', { '1.0.0': older, '1.1.0': newer });
    await registry.post(packagePath('run', '/approve?version=1.0.0'));

    const approved = await run('run@1.1.0');
    const same = await run('npm:run@1.1.0', '--since', '1.1.0', '--json');

    expect(approved).toMatchObject({ code: 0, stderr: '' });
    expect(approved.stdout).toContain('\nchanged       package.json (20 to 30 bytes)');
    expect(JSON.parse(same.stdout)).toMatchObject({ changes: [], unchanged: 4 });
  });

  it('ends with 1 if there is nothing to compare with, or an archive has another digest', async () => {
    await publish('other', { '1.0.0': older, '1.1.0': newer });
    await registry.post(packagePath('other', '/approve?version=1.0.0'));
    origin.serve('/other-1.1.0.tgz', { body: older });

    const first = await run('other@1.0.0');
    const other = await run('other@1.1.0');

    expect([first.code, first.stderr]).toEqual([
      1,
      'error: There is no earlier version to compare with.\n',
    ]);
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('has another digest')]);
  });
});

describe('an archive is not compared', () => {
  const refuse = async (name: string, packed: Buffer): Promise<Error> => {
    await publish(name, { '1.0.0': older, '2.0.0': packed });
    return diff(`npm:${name}@1.0.0`, `npm:${name}@2.0.0`).then(
      () => new Error('It was compared.'),
      (error: Error) => error,
    );
  };

  it('with another digest', async () => {
    await publish('changed', { '1.0.0': older, '2.0.0': newer });
    origin.serve('/changed-2.0.0.tgz', { body: older });

    const failed = diff('npm:changed@1.0.0', 'npm:changed@2.0.0');

    await expect(failed).rejects.toThrow(NegativeResultError);
    await expect(failed).rejects.toThrow(/^changed-2\.0\.0\.tgz from .* has another digest than/);
  });

  it('with too many entries, or damaged', async () => {
    const many = makeTarGz(Array.from({ length: 20_001 }, () => ({ name: 'package/', type: '5' })));

    const errors = [await refuse('many', many), await refuse('damaged', gzipSync('no tar'))];

    expect(errors.map(({ message }) => message)).toEqual([
      'many-2.0.0.tgz has more than 20,000 entries. It is not compared.',
      'damaged-2.0.0.tgz is damaged: the tar archive ends early. It is not compared.',
    ]);
    for (const error of errors) expect(error).toBeInstanceOf(NegativeResultError);
  });

  it('that the origin does not have', async () => {
    await publish('missing', { '1.0.0': older, '2.0.0': newer });
    origin.serve('/missing-2.0.0.tgz', { status: 404 });

    const failed = diff('npm:missing@1.0.0', 'npm:missing@2.0.0');

    await expect(failed).rejects.toThrow(UpstreamError);
    await expect(failed).rejects.toThrow('status 404');
  });

  it('while its files are not known', async () => {
    await registry.submit({ ecosystem: 'npm', name: 'unlisted', version: '1.0.0', license: 'MIT' });

    const failed = diff('npm:unlisted@1.0.0', 'npm:unlisted@1.0.0');

    await expect(failed).rejects.toThrow('The files of npm:unlisted@1.0.0 are not known');
  });

  it('of an image, or of another ecosystem', async () => {
    await registry.submit({ ecosystem: 'docker', name: 'image', version: '1', license: 'MIT' });

    const images = diff('docker:image@1', 'docker:image@1');
    const mixed = diff('npm:app@1.0.0', 'docker:image@1');

    await expect(images).rejects.toThrow(UsageError);
    await expect(mixed).rejects.toThrow('are not of one ecosystem');
  });
});
