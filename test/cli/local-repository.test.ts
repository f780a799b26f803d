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

  it('has neither versions from a build on this machine, nor versions that Maven only looked for', async () => {
    add('lib', '1.0');
    add('shop', '1.0-SNAPSHOT', { from: '' });
    add('missing', '1.0', { pom: null, files: ['missing-1.0.pom.lastUpdated'] });

    const { names, unpinned, content } = await read();

    expect(names).toEqual(['org.acme:lib@1.0']);
    expect(unpinned).toEqual([]);
    expect(content?.own).toEqual(['org.acme:shop']);
    expect(content?.note).toContain('1 version was installed from a build on this machine');
  });

  it.each([
    ['other coordinates', { pom: project('org.evil', 'lib', '2.0') }],
    ['another version', { pom: project('org.acme', 'lib', '1.0') }],
    ['no markup', { pom: 'a'.repeat(1000) }],
    ['entities without end', { pom: '<!DOCTYPE x [<!ENTITY a "&a;&a;">]><project>&a;</project>' }],
    ['no POM at all', { pom: null, files: ['lib-2.0.jar'] }],
  ])('does not trust a version whose folder has %s', async (_, version) => {
    add('other', '1.0');
    add('lib', '2.0', version);

    const { files, names, unpinned } = await read();

    expect(files).toHaveLength(1);
    expect(names).toEqual(['org.acme:other@1.0']);
    expect(unpinned).toEqual(['lib:2.0 unreadable']);
  });

  it('lists a downloaded snapshot as not pinned', async () => {
    add('lib', '1.0');
    add('edge', '2.0-SNAPSHOT');

    expect((await read()).unpinned).toEqual(['org.acme:edge:2.0-SNAPSHOT range']);
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
