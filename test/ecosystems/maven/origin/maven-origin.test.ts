import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MavenPom } from '../../../../shared/domain/facts/manifest.ts';
import { askServer, type OriginServer, startOriginServer } from '../../../support/origin-server.ts';

let server: OriginServer;
/** What was served of each version. */
const served = new Map<string, string>();

beforeEach(async () => {
  server = await startOriginServer();
});

afterEach(() => server.close());

const published = 'Tue, 10 Oct 2023 18:21:05 GMT';

const toPath = (coordinates: string): string => {
  const [group = '', artifact, version] = coordinates.split(':');
  return `/${group.replaceAll('.', '/')}/${artifact}/${version}/${artifact}-${version}.pom`;
};

/** Serves a POM with these coordinates, and whatever else stands in it. */
const serve = (coordinates: string, content: string, parent?: string): void => {
  const [group, artifact, version] = coordinates.split(':');
  const [parentGroup, parentArtifact, parentVersion] = parent?.split(':') ?? [];
  const above = parent
    ? `<parent><groupId>${parentGroup}</groupId><artifactId>${parentArtifact}</artifactId><version>${parentVersion}</version></parent>`
    : '';
  const body = `<?xml version="1.0" encoding="UTF-8"?><project xmlns="http://maven.apache.org/POM/4.0.0">
      ${above}<groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version>${content}</project>`;
  served.set(coordinates, body);
  const headers = { 'Content-Type': 'text/xml', 'Last-Modified': published };
  server.serve(toPath(coordinates), { headers, body });
};

/** The checksums of a POM as it was served. */
const sumsOf = (coordinates: string) => {
  const content = served.get(coordinates) ?? '';
  const algorithms = ['sha1', 'sha256', 'sha512', 'md5'];
  return Object.fromEntries(algorithms.map((one) => [one, hash(one, content)]));
};

/** A reference to a property. */
const ref = (name: string): string => `\${${name}}`;

const importing = (...boms: readonly string[]): string => {
  const entries = boms.map((bom) => {
    const [group, artifact, version] = bom.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version><type>pom</type><scope>import</scope></dependency>`;
  });
  return `<dependencyManagement><dependencies>${entries.join('')}</dependencies></dependencyManagement>`;
};

const apache = '<licenses><license><name>Apache License, Version 2.0</name></license></licenses>';

const ask = (coordinates: string) => {
  const [group, artifact, version = ''] = coordinates.split(':');
  const id = { ecosystem: 'maven', name: `${group}:${artifact}`, version } as const;
  return askServer(server).collectFacts(id);
};

const manifestOf = async (coordinates: string) => {
  const { manifest } = await ask(coordinates);
  if (manifest?.kind !== 'maven') throw new Error('There is no manifest');
  return manifest;
};

const namesOf = (poms: readonly MavenPom[]): string[] => poms.map(({ coordinates }) => coordinates);

describe('a version of Maven', () => {
  it('has the facts of its POM and its parents', async () => {
    // Guava 32.1.3-jre as it is published, trimmed.
    serve(
      'com.google.guava:guava:32.1.3-jre',
      `<!-- do_not_remove: published-with-gradle-metadata --><packaging>bundle</packaging>
       <name>Guava: Google Core Libraries for Java</name>
       <description>
         Guava is a suite of core and expanded libraries that include
         utility classes, Google's collections, I/O classes, and
         much more.
       </description>`,
      'com.google.guava:guava-parent:32.1.3-jre',
    );
    serve(
      'com.google.guava:guava-parent:32.1.3-jre',
      `<packaging>pom</packaging><description>Parent for guava artifacts</description>
       <url>https://github.com/google/guava</url>
       <licenses><license><name>Apache License, Version 2.0</name>
         <url>http://www.apache.org/licenses/LICENSE-2.0.txt</url></license></licenses>
       <scm><connection>scm:git:https://github.com/google/guava.git</connection></scm>`,
    );
    const stem = toPath('com.google.guava:guava:32.1.3-jre').replace(/\.pom$/, '');
    server.serve(`${stem}.pom.sha1`, { body: 'f'.repeat(40) });
    server.serve(`${stem}.jar.sha1`, { body: `${'a'.repeat(40)}  guava-32.1.3-jre.jar\n` });
    server.serve(`${stem}.jar.sha256`, { body: 'B'.repeat(64) });
    server.serve(`${stem}.jar.md5`, { body: '<html>not found</html>' });
    server.serve(`${stem}.module.sha512`, { body: `SHA512 (x) = ${'c'.repeat(128)}` });
    server.serve('/com/google/guava/guava/maven-metadata.xml', {
      body: '<metadata><versioning><latest>33.0.0-jre</latest><release>33.0.0-android</release></versioning></metadata>',
    });

    expect(await ask('com.google.guava:guava:32.1.3-jre')).toEqual({
      outcome: 'answered',
      details: { described: true, dependencies: [], plugins: [] },
      facts: {
        found: 'yes',
        reason: null,
        name_found: true,
        published_at: '2023-10-10T18:21:05.000Z',
        licenses_declared: ['Apache License, Version 2.0'],
        license: 'Apache-2.0',
        license_declaration: 'readable',
        license_statement: 'Apache License, Version 2.0',
        description: expect.stringMatching(/^Guava is a suite of core .* much more\.$/),
        homepage: 'https://github.com/google/guava',
        repository: 'https://github.com/google/guava.git',
        deprecated: null,
        yanked: null,
        install_scripts: [],
        provenance: null,
        newest_version: '33.0.0-android',
      },
      manifest: {
        kind: 'maven',
        files: [
          { name: 'guava-32.1.3-jre.pom', checksums: sumsOf('com.google.guava:guava:32.1.3-jre') },
          {
            name: 'guava-32.1.3-jre.jar',
            checksums: { sha1: 'a'.repeat(40), sha256: 'b'.repeat(64) },
          },
          { name: 'guava-32.1.3-jre.module', checksums: { sha512: 'c'.repeat(128) } },
        ],
        parents: [
          {
            coordinates: 'com.google.guava:guava-parent:32.1.3-jre',
            checksums: sumsOf('com.google.guava:guava-parent:32.1.3-jre'),
          },
        ],
        boms: [],
        unlisted: true,
      },
    });
  });

  it('inherits its license over three parents, with properties of all of them', async () => {
    serve(
      'g:a:1',
      `<properties><own>1.1</own></properties><url>${ref('site')}/${ref('project.version')}</url>`,
      'g:p1:1',
    );
    serve('g:p1:1', '<properties><host>example.com</host><own>0</own></properties>', 'g:p2:1');
    serve(
      'g:p2:1',
      `<properties><site>https://${ref('host')}/${ref('own')}</site></properties>`,
      'g:p3:1',
    );
    serve('g:p3:1', apache);

    const { facts } = await ask('g:a:1');

    expect(facts).toMatchObject({ license: 'Apache-2.0', homepage: 'https://example.com/1.1/1' });
    expect(namesOf((await manifestOf('g:a:1')).parents)).toEqual(['g:p1:1', 'g:p2:1', 'g:p3:1']);
  });

  it('has its own licenses before those of its parents, and a choice of several', async () => {
    const two =
      '<licenses><license><name>EPL-2.0</name></license><license><name>MIT</name></license></licenses>';
    serve('g:a:1', two, 'g:p:1');
    serve('g:p:1', apache);

    expect((await ask('g:a:1')).facts).toMatchObject({
      licenses_declared: ['EPL-2.0', 'MIT'],
      license: 'EPL-2.0 OR MIT',
    });
  });

  it.each<[string, string, string, string | null]>([
    [
      'an address alone',
      '<license><url>https://opensource.org/licenses/MIT</url></license>',
      'readable',
      'https://opensource.org/licenses/MIT',
    ],
    ['nothing', '', 'none', null],
    ['an empty element', '<license/>', 'none', null],
    [
      'a property that nobody sets',
      `<license><name>${ref('unset')}</name></license>`,
      'unreadable',
      null,
    ],
    [
      'an element that names none',
      '<license><comments>AGPL</comments></license>',
      'unreadable',
      null,
    ],
    ['a text for an element', '<license>AGPL-3.0-only</license>', 'unreadable', null],
    ['more than is read', '<license><name>MIT</name></license>'.repeat(101), 'unreadable', null],
    [
      'a second list',
      '<license><name>AGPL-3.0-only</name></license></licenses><licenses><license><name>MIT</name></license>',
      'unreadable',
      null,
    ],
  ])('declares %s', async (_, licenses, declaration, statement) => {
    serve('g:a:1', `<licenses>${licenses}</licenses>`);

    expect((await ask('g:a:1')).facts).toMatchObject({
      license_declaration: declaration,
      license_statement: statement,
    });
  });

  it('names a parent by properties', async () => {
    serve('g:a:1', '<properties><revision>7</revision></properties>', `g:p:${ref('revision')}`);
    serve('g:p:7', apache);

    expect((await ask('g:a:1')).facts.license).toBe('Apache-2.0');
  });

  it('lists what its POM cannot be read without: imported lists, theirs, and their parents', async () => {
    serve(
      'g:a:1',
      importing(`g:b1:${ref('b.version')}`, 'g:gone:1', `g:${ref('never.said')}:1`),
      'g:p:1',
    );
    serve('g:p:1', `<properties><b.version>2</b.version></properties>${importing('g:b2:1')}`);
    serve('g:b1:2', importing('g:b2:1', 'g:b3:1'), 'g:bp:1');
    serve('g:b2:1', '');
    serve('g:b3:1', importing('g:b1:2'));
    serve('g:bp:1', '');

    const { boms, parents } = await manifestOf('g:a:1');

    expect(namesOf(parents)).toEqual(['g:p:1']);
    expect(namesOf(boms).toSorted()).toEqual(['g:b1:2', 'g:b2:1', 'g:b3:1', 'g:bp:1']);
    expect(boms.find(({ coordinates }) => coordinates === 'g:bp:1')?.checksums).toEqual(
      sumsOf('g:bp:1'),
    );
    const paths = server.requests.map(({ path }) => path).filter((path) => path.endsWith('.pom'));
    expect(paths).toHaveLength(new Set(paths).size);
  });

  it.each<[string, string, string[]]>([
    ['a jar', '', ['.pom', '.jar']],
    ['a plugin', '<packaging>maven-plugin</packaging>', ['.pom', '.jar']],
    ['a web archive', '<packaging>war</packaging>', ['.pom', '.war']],
    ['nothing but a POM', '<packaging>pom</packaging>', ['.pom']],
    [
      'what a property says',
      `<properties><p>aar</p></properties><packaging>${ref('p')}</packaging>`,
      ['.pom', '.aar'],
    ],
  ])('has the files of %s', async (_, content, endings) => {
    serve('g:a:1', content);
    for (const ending of ['.pom', '.jar', '.war', '.aar', '.module']) {
      server.serve(`/g/a/1/a-1${ending}.sha1`, { body: 'a'.repeat(40) });
    }

    const { files } = await manifestOf('g:a:1');

    expect(files.map(({ name }) => name)).toEqual(endings.map((ending) => `a-1${ending}`));
  });

  it('lists the exact versions that a parent sets, also by its own parent, and those of no other package', async () => {
    const entry = (name: string, version: string, tag = 'dependency') =>
      `<${tag}><groupId>org.acme</groupId><artifactId>${name}</artifactId><version>${version}</version></${tag}>`;
    const manage = (...entries: readonly string[]) =>
      `<dependencyManagement><dependencies>${entries.join('')}</dependencies></dependencyManagement>`;
    const plugins = `<build><pluginManagement><plugins>${entry('plugin', '3.1', 'plugin')}</plugins></pluginManagement></build>`;
    serve('org.acme:base:1', manage(entry('lib', '1.0'), entry('tool', '2.0')));
    const own = manage(entry('lib', ref('lib')), entry('any', '[1,2)'), entry('unset', ref('no')));
    const properties = '<properties><lib>1.1</lib></properties>';
    const packaging = '<packaging>pom</packaging>';
    serve('org.acme:parent:1', `${packaging}${properties}${own}${plugins}`, 'org.acme:base:1');
    serve('org.acme:app:1', '', 'org.acme:parent:1');

    expect(await ask('org.acme:parent:1')).toMatchObject({
      managed: [
        { name: 'org.acme:tool', range: '2.0' },
        { name: 'org.acme:lib', range: '1.1' },
        { name: 'org.acme:plugin', range: '3.1' },
      ],
    });
    expect(await ask('org.acme:app:1')).not.toHaveProperty('managed');
  });

  it('has all files that its repository lists, without checksums and signatures of others', async () => {
    serve('g:a:1', '');
    const names = ['a-1.pom', 'a-1.jar', 'a-1-linux-x86_64.jar', 'a-1-no-sum.exe', 'a-1-b%2Bc.jar'];
    const besides = [
      'a-1.jar.sha1',
      'a-1.jar.asc',
      'a-1.jar.asc.md5',
      'a-2.jar',
      '../../',
      'a-1-x.jar/',
    ];
    const links = [...names, ...besides].map((one) => `<A HREF="/repo/g/a/1/${one}">${one}</A>`);
    server.serve('/g/a/1/', { body: `<html><body>${links.join('\n')}</body></html>` });
    for (const name of ['a-1.jar', 'a-1-linux-x86_64.jar', 'a-1-b%2Bc.jar']) {
      server.serve(`/g/a/1/${name}.sha1`, { body: 'a'.repeat(40) });
    }

    const { files } = await manifestOf('g:a:1');

    const checksums = { sha1: 'a'.repeat(40) };
    expect(files.slice(1)).toEqual([
      { name: 'a-1.jar', checksums },
      { name: 'a-1-linux-x86_64.jar', checksums },
      { name: 'a-1-b+c.jar', checksums },
    ]);
  });

  it.each([
    ['none', {}],
    ['a page of something else', { body: '<a href="a-1-evil.jar">a-1-evil.jar</a>' }],
    ['one that may not be read', { status: 403 }],
  ])('has its usual files where its repository lists %s', async (_, reply) => {
    serve('g:a:1', '');
    server.serve('/g/a/1/', { status: 'body' in reply ? 200 : 404, ...reply });
    for (const ending of ['.jar', '-sources.jar', '-javadoc.jar', '-tests.jar', '-evil.jar']) {
      server.serve(`/g/a/1/a-1${ending}.sha1`, { body: 'a'.repeat(40) });
    }

    const { files } = await manifestOf('g:a:1');

    expect(files.map(({ name }) => name)).toEqual([
      ...['a-1.pom', 'a-1.jar', 'a-1-sources.jar', 'a-1-javadoc.jar', 'a-1-tests.jar'],
    ]);
  });

  it('is not known yet where the page of its files is out of reach', async () => {
    serve('g:a:1', '');
    server.serve('/g/a/1/', { status: 503 });

    expect(await ask('g:a:1')).toMatchObject({ outcome: 'failed', passing: true });
  });

  it('is asked for 100 files at most', async () => {
    serve('g:a:1', '');
    const links = Array.from({ length: 400 }, (_, at) => `<a href="a-1-c${at}.jar">`);
    server.serve('/g/a/1/', { body: `<a href="a-1.pom">${links.join('')}` });

    await manifestOf('g:a:1');

    // The jar is one of them, and has checksums of four kinds.
    expect(server.requests.filter(({ path }) => path.includes('.jar.'))).toHaveLength(103);
  });

  it('is deprecated where it moved', async () => {
    const moved =
      '<distributionManagement><relocation><groupId>h</groupId><message>renamed</message></relocation></distributionManagement>';
    serve('g:a:1', moved);

    expect((await ask('g:a:1')).facts.deprecated).toBe('Relocated to h:a:1: renamed');
  });

  it('is read in the encoding that it names', async () => {
    const text =
      '<?xml version="1.0" encoding="ISO-8859-1"?><project><description>caf\u00e9 &amp; th\u00e9</description></project>';
    server.serve('/g/a/1/a-1.pom', { body: Buffer.from(text, 'latin1') });

    expect((await ask('g:a:1')).facts.description).toBe('caf\u00e9 & th\u00e9');
  });

  it('is known without newest version where that cannot be read', async () => {
    serve('g:a:1', '');
    server.serve('/g/a/maven-metadata.xml', { body: '<html>' });

    expect((await ask('g:a:1')).facts).toMatchObject({ found: 'yes', newest_version: null });
  });
});

describe('the details of a publication', () => {
  const dependency = (name: string, fields = '') => {
    const [group, artifact] = name.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId>${fields}</dependency>`;
  };
  const plugin = (fields: string) => `<plugin>${fields}</plugin>`;

  const detailsOf = async (coordinates: string) => {
    const collected = await ask(coordinates);
    return collected.outcome === 'answered' ? collected.details : undefined;
  };

  it('list mandatory dependencies and build plugins, also of profiles and of the parents', async () => {
    serve(
      'org.a:a:1.0',
      `<dependencies>${dependency('org.b:b', `<version>${ref('b.version')}</version>`)}
        ${dependency('org.c:c')}${dependency('org.d:d')}
        ${dependency('org.t:t', '<version>1</version><scope>test</scope>')}
        ${dependency('org.o:o', '<version>1</version><optional>true</optional>')}</dependencies>
       <build><plugins>${plugin('<artifactId>maven-jar-plugin</artifactId>')}
        ${plugin('<groupId>org.x</groupId><artifactId>run</artifactId><version>2</version>')}</plugins></build>
       <profiles><profile><activation><jdk>[1.8,)</jdk></activation>
        <dependencies>${dependency('org.e:e', '<version>1</version>')}</dependencies></profile></profiles>`,
      'org.a:parent:7',
    );
    serve(
      'org.a:parent:7',
      `<properties><b.version>3.1</b.version></properties>
       <dependencyManagement><dependencies>${dependency('org.c:c', '<version>[1,2)</version>')}</dependencies></dependencyManagement>
       <dependencies>${dependency('org.p:p', '<version>5</version>')}${dependency('org.b:b', '<version>1</version>')}</dependencies>`,
    );

    expect(await detailsOf('org.a:a:1.0')).toEqual({
      described: true,
      dependencies: [
        { name: 'org.b:b', range: '3.1' },
        { name: 'org.c:c', range: '[1,2)' },
        { name: 'org.d:d', range: '' },
        { name: 'org.e:e', range: '1' },
        { name: 'org.p:p', range: '5' },
      ],
      plugins: [
        { name: 'org.apache.maven.plugins:maven-jar-plugin', range: '' },
        { name: 'org.x:run', range: '2' },
      ],
    });
  });

  it('are unknown if a parent is missing, a name is unknown or a list is too long', async () => {
    serve('org.a:a:1.0', `<dependencies>${dependency('org.b:b')}</dependencies>`, 'org.a:lost:1');
    serve('org.a:a:2.0', `<dependencies>${dependency(`org.b:${ref('x')}`)}</dependencies>`);
    const many = Array.from({ length: 201 }, (_, at) => dependency(`org.b:b${at}`)).join('');
    serve('org.a:a:3.0', `<dependencies>${many}</dependencies>`);

    expect(await detailsOf('org.a:a:1.0')).toEqual({ described: false });
    expect(await detailsOf('org.a:a:2.0')).toEqual({ described: true, plugins: [] });
    expect(await detailsOf('org.a:a:3.0')).toEqual({ described: true, plugins: [] });
  });
});

describe('parents', () => {
  it('may go in circles', async () => {
    serve('g:a:1', '', 'g:p:1');
    serve('g:p:1', '', 'g:q:1');
    serve('g:q:1', '', 'g:p:1');

    expect(namesOf((await manifestOf('g:a:1')).parents)).toEqual(['g:p:1', 'g:q:1']);
  });

  it('may be the child itself', async () => {
    serve('g:a:1', apache, 'g:a:1');

    expect((await ask('g:a:1')).facts.license).toBe('Apache-2.0');
  });

  it('are followed eight times', async () => {
    for (let at = 0; at < 20; at += 1) serve(`g:a${at}:1`, '', `g:a${at + 1}:1`);

    expect((await manifestOf('g:a0:1')).parents).toHaveLength(8);
  });

  it.each(['g:p:[1,2)', '../../etc:passwd:1', 'g/../..:p:1', 'g::1'])(
    'are not asked for as %s',
    async (parent) => {
      serve('g:a:1', '', parent);

      expect((await manifestOf('g:a:1')).parents).toEqual([]);
      expect(server.requests.every(({ path }) => path.startsWith('/g/a/'))).toBe(true);
    },
  );

  it('may be missing or broken: then it is not known what they say', async () => {
    serve('g:a:1', '', 'g:p:1');
    server.serve('/g/p/1/p-1.pom', { body: 'no XML' });

    const { facts, manifest } = await ask('g:a:1');

    expect(facts).toMatchObject({ found: 'yes', license: null, license_declaration: 'unknown' });
    expect(manifest).toMatchObject({ parents: [] });
  });

  it('may be out of reach for now: then nothing is known yet', async () => {
    serve('g:a:1', '', 'g:p:1');
    server.serve('/g/p/1/p-1.pom', { status: 503 });

    expect(await ask('g:a:1')).toMatchObject({ outcome: 'failed', passing: true });
  });
});

describe('a version that a repository does not have', () => {
  it('is one of an artifact that it has', async () => {
    server.serve('/g/a/maven-metadata.xml', {
      body: '<metadata><versioning><versions><version>1</version><version>2</version></versions></versioning></metadata>',
    });

    expect((await ask('g:a:3')).facts).toMatchObject({
      found: 'no',
      name_found: true,
      reason: `${server.host} has g:a, but not 3`,
      newest_version: '2',
    });
  });

  it('is unknown if a page comes instead of the metadata', async () => {
    server.serve('/g/a/maven-metadata.xml', { body: '<html>Sign in</html>' });

    expect((await ask('g:a:3')).facts).toMatchObject({
      found: 'unknown',
      reason: `${server.host} answered /g/a/maven-metadata.xml with a web page`,
    });
  });

  it('is one of no artifact at all', async () => {
    expect((await ask('g:a:3')).facts).toMatchObject({
      found: 'no',
      name_found: false,
      reason: `${server.host} has no artifact g:a`,
    });
  });
});

const nestEntities = (): string => {
  const letters = [...'abcdefghij'];
  const entities = letters.map((letter, at) =>
    at === 0
      ? `<!ENTITY a "${'ha'.repeat(20)}">`
      : `<!ENTITY ${letter} "${`&${letters[at - 1]};`.repeat(10)}">`,
  );
  return `<!DOCTYPE project [${entities.join('')}]><project><description>&j;</description></project>`;
};

describe('a POM that means harm', () => {
  it.each<[string, () => string]>([
    ['entities in entities', nestEntities],
    [
      'one entity many times',
      () =>
        `<!DOCTYPE p [<!ENTITY x "${'x'.repeat(9_000)}">]><project><description>${'&x;'.repeat(100_000)}</description></project>`,
    ],
    [
      'a file of this machine',
      () =>
        '<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><project><description>&x;</description></project>',
    ],
    [
      'elements in elements',
      () => `<project>${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}</project>`,
    ],
    [
      'names of prototypes',
      () => '<project><__proto__><polluted>1</polluted></__proto__></project>',
    ],
    [
      'properties of properties',
      () => {
        const rows = Array.from(
          { length: 30 },
          (_, at) => `<p${at}>\${p${at + 1}}\${p${at + 1}}</p${at}>`,
        );
        return `<project><properties>${rows.join('')}<p30>x</p30></properties><description>\${p0}</description></project>`;
      },
    ],
    [
      'a property of itself',
      () =>
        `<project><properties><p>${ref('p')}</p></properties><description>${ref('p')}</description></project>`,
    ],
  ])('does none by %s', async (_, write) => {
    server.serve('/g/a/1/a-1.pom', { body: write() });

    const { facts } = await ask('g:a:1');

    expect(facts.description ?? '').not.toMatch(/haha|xx|root:/);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  it('does none by importing without end', async () => {
    const many = Array.from({ length: 400 }, (_, at) => `g:b${at}:1`);
    serve('g:a:1', importing(...many));
    for (const bom of many) serve(bom, '');

    const { boms } = await manifestOf('g:a:1');

    // The version itself is one of those that are read.
    expect(boms).toHaveLength(149);
    expect(server.requests.filter(({ path }) => path.endsWith('.pom'))).toHaveLength(150);
  });
});
