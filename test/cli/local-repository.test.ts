import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readProject } from '../../cli/commands/check/read-project.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'maven-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Version {
  readonly group?: string;
  /** The coordinates in the POM, where they differ from those of the folder. */
  readonly pom?: string | null;
  /** The id of the repository; empty for a version from a build on this machine. */
  readonly from?: string;
  readonly files?: readonly string[];
}

const project = (group: string, artifact: string, version: string): string =>
  `<project><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></project>`;

/** Puts a version into the repository, as Maven does after a download. */
const add = (
  artifact: string,
  version: string,
  {
    group = 'org.acme',
    pom = project(group, artifact, version),
    from = 'central',
    files,
  }: Version = {},
): string => {
  const path = join(folder, ...group.split('.'), artifact, version);
  const name = `${artifact}-${version}`;
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, '_remote.repositories'), `#NOTE\n${name}.pom>${from}=\n`);
  if (pom !== null) writeFileSync(join(path, `${name}.pom`), pom);
  for (const file of files ?? []) writeFileSync(join(path, file), '');
  return path;
};

const read = async (path = folder) => {
  const { files } = await readProject([path]);
  const [file] = files;
  return {
    ...{ files, content: file?.content },
    names: file?.content?.dependencies.map(({ name, version }) => `${name}@${version}`).sort(),
    unpinned: file?.content?.unpinned.map(({ text, reason }) => `${text} ${reason}`),
  };
};

describe('a local repository of Maven', () => {
  it('is one file with all downloaded versions: parents, BOMs and plugins, with and without a jar', async () => {
    add('lib', '1.0', { files: ['lib-1.0.jar', 'lib-1.0.jar.sha1'] });
    add('parent', '7');
    add('maven-jar-plugin', '3.4', { group: 'org.apache.maven.plugins' });
    add('inherits', '2', {
      pom: `<project><parent><groupId>org.acme</groupId><artifactId>parent</artifactId><version>7</version></parent><artifactId>inherits</artifactId><version>\${revision}</version></project>`,
    });

    const { files, names, unpinned, content } = await read();

    expect(names).toEqual([
      'org.acme:inherits@2',
      'org.acme:lib@1.0',
      'org.acme:parent@7',
      'org.apache.maven.plugins:maven-jar-plugin@3.4',
    ]);
    expect(unpinned).toEqual([]);
    expect(content?.format).toBe('maven-repository');
    expect(content?.incomplete).toBeUndefined();
    expect(files).toHaveLength(1);
    expect(files[0]?.path.endsWith(basename(folder))).toBe(true);
  });

  it('does not list versions that Maven only looked for', async () => {
    add('lib', '1.0');
    add('missing', '1.0', { pom: null, files: ['missing-1.0.pom.lastUpdated'] });

    const { names, unpinned } = await read();

    expect(names).toEqual(['org.acme:lib@1.0']);
    expect(unpinned).toEqual([]);
  });

  it('lists a version from a build on this machine as not from a registry', async () => {
    add('lib', '1.0');
    add('shop', '1.0', { from: '' });

    const { names, unpinned } = await read();

    expect(names).toEqual(['org.acme:lib@1.0']);
    expect(unpinned).toEqual(['org.acme:shop:1.0 file']);
  });

  it.each([
    ['one of its files', 'lib-1.0.pom>=\nlib-1.0.jar>central=\n'],
    ['a file that has a repository, too', 'lib-1.0.pom>=\nlib-1.0.jar>=\nlib-1.0.jar>central=\n'],
  ])('lists a download in spite of a note that a build installed %s', async (_, origins) => {
    const path = add('lib', '1.0', { files: ['lib-1.0.jar'] });
    writeFileSync(join(path, '_remote.repositories'), origins);

    expect((await read()).names).toEqual(['org.acme:lib@1.0']);
  });

  it('has the SHA-1 hashes of all files of a version, and not those of its notes', async () => {
    const path = add('lib', '1.0', { files: ['lib-1.0.jar.sha1', 'lib-1.0-linux.so'] });
    writeFileSync(join(path, 'lib-1.0.jar'), 'content');

    const [dependency] = (await read()).content?.dependencies ?? [];

    expect(dependency?.hashes?.toSorted()).toEqual(
      ['', 'content', project('org.acme', 'lib', '1.0')]
        .map((text) => `sha1:${createHash('sha1').update(text).digest('hex')}`)
        .toSorted(),
    );
  });

  it.each([
    ['other coordinates', { pom: project('org.evil', 'lib', '2.0') }],
    ['another version', { pom: project('org.acme', 'lib', '1.0') }],
    ['no markup', { pom: 'a'.repeat(1000) }],
    ['entities without end', { pom: '<!DOCTYPE x [<!ENTITY a "&a;&a;">]><project>&a;</project>' }],
    ['no POM at all', { pom: null, files: ['lib-2.0.jar'] }],
  ])('has the name of its folder for a version with %s', async (_, version) => {
    add('other', '1.0');
    add('another', '1.0');
    add('lib', '2.0', version);

    const { files, names, unpinned } = await read();

    expect(files).toHaveLength(1);
    expect(names).toEqual(['org.acme:another@1.0', 'org.acme:lib@2.0', 'org.acme:other@1.0']);
    expect(unpinned).toEqual([]);
  });

  it('does not guess where a repository begins if no POM shows it', async () => {
    add('lib', '2.0', { pom: null, files: ['lib-2.0.jar'] });

    expect((await read()).unpinned).toEqual(['lib:2.0 unreadable']);
  });

  it('lists a downloaded snapshot as not pinned', async () => {
    add('lib', '1.0');
    add('edge', '2.0-SNAPSHOT');
    add('timed', '2.0-SNAPSHOT', { pom: null, files: ['timed-2.0-20260101.120000-1.jar'] });

    expect((await read()).unpinned).toEqual([
      'org.acme:edge:2.0-SNAPSHOT range',
      'org.acme:timed:2.0-SNAPSHOT range',
    ]);
  });

  it.each([
    ['without a note of Maven', { group: 'org.acme', note: false }],
    ['whose group has the name of a folder with installed files', { group: 'org.vendor' }],
    ['whose group has the name of a virtual environment', { group: 'venv' }],
    ['below the folder of another version', { group: 'org.acme.lib.1.0' }],
    ['with a file of an unusual type alone', { group: 'org.acme', pom: null, files: ['x-1.so'] }],
  ])('has a version %s', async (_, { note = true, ...version }: Version & { note?: boolean }) => {
    add('lib', '1.0');
    add('other', '1.0');
    const path = add('x', '1', version);
    if (!note) rmSync(join(path, '_remote.repositories'));

    expect((await read()).names).toContain(`${version.group}:x@1`);
  });

  it('hides no lockfile beside a note of Maven', async () => {
    writeFileSync(join(folder, '_remote.repositories'), '');
    writeFileSync(join(folder, 'requirements.txt'), 'django==5.1\n');
    const path = add('lib', '1.0');
    writeFileSync(join(path, 'requirements.txt'), 'flask==3.1\n');

    const { files } = await readProject([folder]);

    const formats = files.map(({ content }) => content?.format).toSorted();
    expect(formats).toEqual(['maven-repository', 'requirements.txt', 'requirements.txt']);
  });

  it('follows no link, and lists each', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'maven-'));
    const path = add('lib', '1.0');
    symlinkSync(elsewhere, join(path, '..', '2.0'));
    symlinkSync(join(path, 'lib-1.0.pom'), join(path, 'lib-1.0.jar'));

    const { names, unpinned } = await read();

    rmSync(elsewhere, { recursive: true });
    expect(names).toEqual(['org.acme:lib@1.0']);
    expect(unpinned).toEqual([
      'org.acme:lib:1.0 lib-1.0.jar unreadable',
      'org/acme/lib/2.0 unreadable',
    ]);
  });

  it('waits for no pipe in place of a file', async () => {
    add('other', '1.0');
    const path = add('lib', '1.0', { pom: null });
    execFileSync('bash', ['-c', 'mkfifo "$0"', join(path, 'lib-1.0.pom')]);

    const { names, unpinned } = await read();

    expect(names).toContain('org.acme:other@1.0');
    expect(unpinned).toEqual(['org.acme:lib:1.0 lib-1.0.pom unreadable']);
  });

  it('has the versions below the named folder alone', async () => {
    add('lib', '1.0');
    add('x', '1', { group: 'com.shop' });

    const { names } = await read(join(folder, 'org'));

    expect(names).toEqual(['org.acme:lib@1.0']);
  });

  it('may be below a project, and behind no link', async () => {
    const repository = folder;
    add('lib', '1.0');
    folder = mkdtempSync(join(tmpdir(), 'project-'));
    symlinkSync(repository, join(folder, 'link'));
    const below = join(folder, 'repository', 'org', 'acme', 'lib', '1.0');
    mkdirSync(below, { recursive: true });
    writeFileSync(join(below, '_remote.repositories'), 'lib-1.0.pom>central=\n');
    writeFileSync(join(below, 'lib-1.0.pom'), project('org.acme', 'lib', '1.0'));

    const { files, names } = await read();

    rmSync(repository, { recursive: true });
    expect(names).toEqual(['org.acme:lib@1.0']);
    expect(files.map(({ path }) => basename(path))).toEqual(['repository']);
  });
});
