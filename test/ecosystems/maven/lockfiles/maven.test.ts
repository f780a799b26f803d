import { describe, expect, it } from 'vitest';
import { listDependencies, listUnpinned, read, readExample } from '../../lockfiles/example.ts';

const epoll = 'io.netty:netty-transport-native-epoll@4.1.100.Final';
const transport = 'io.netty:netty-transport@4.1.100.Final';

const tree = [
  `io.netty:netty-buffer@4.1.100.Final < ${epoll}`,
  `io.netty:netty-common@4.1.100.Final < ${epoll}`,
  `io.netty:netty-resolver@4.1.100.Final < ${transport} < ${epoll}`,
  `io.netty:netty-transport-classes-epoll@4.1.100.Final < ${epoll}`,
  epoll,
  `io.netty:netty-transport-native-unix-common@4.1.100.Final < ${epoll}`,
  `${transport} < ${epoll}`,
  'junit:junit@4.13.2',
  'org.hamcrest:hamcrest-core@1.3 < junit:junit@4.13.2',
  'org.slf4j:slf4j-api@2.0.9 < org.slf4j:slf4j-simple@2.0.9',
  'org.slf4j:slf4j-simple@2.0.9',
];

describe.each(['2.8', '3.6'])('the dependency plugin %s', (version) => {
  it('lists what is resolved, but not the modules of the project', () => {
    const file = readExample(`maven-dependency-${version}/dependency-list.txt`);

    expect(listDependencies(file)).toEqual(
      tree.map((line) => `${line.replace(/ <.*/, '')} < ?`).toSorted(),
    );
    expect(file.own).toEqual(['com.example:shop', 'com.example:core', 'com.example:web']);
  });

  it('tells in a tree what pulled each in', () => {
    const file = readExample(`maven-dependency-${version}/dependency-tree.txt`);

    expect(listDependencies(file)).toEqual(tree.toSorted());
    expect(file.unpinned).toEqual([]);
  });
});

const artifact = (name: string, version = '', more = ''): string => {
  const [group, artifactId] = name.split(':');
  const pinned = version && `<version>${version}</version>`;
  return `<dependency><groupId>${group}</groupId><artifactId>${artifactId}</artifactId>${pinned}${more}</dependency>`;
};

const readPom = (content: string) =>
  read(
    'pom.xml',
    `<project>\n<modelVersion>4.0.0</modelVersion>\n<groupId>com.example</groupId><artifactId>shop</artifactId><version>1.0</version>\n${content}\n</project>`,
  );

const readDeclared = (...declared: readonly string[]) =>
  readPom(`<dependencies>\n${declared.join('\n')}\n</dependencies>`);

const property = (name: string): string => `\${${name}}`;

describe('a POM', () => {
  it('pins what it declares, each in its line', () => {
    const { dependencies } = readDeclared(
      artifact('g:one', '1'),
      artifact('g:two', '2', '<scope>test</scope>'),
    );

    expect(dependencies).toEqual([
      { ecosystem: 'maven', name: 'g:one', version: '1', line: 5, through: [] },
      { ecosystem: 'maven', name: 'g:two', version: '2', line: 6, through: [] },
    ]);
  });

  it('counts lines whose ends are of two characters as one each', () => {
    const text = `<project><modelVersion>4.0.0</modelVersion>\r\n<dependencies>\r\n${artifact('g:a', '1')}</dependencies></project>`;

    expect(read('pom.xml', text).dependencies).toMatchObject([{ line: 3 }]);
  });

  it('has properties put in, its own and those of the profile', () => {
    const file = readPom(
      `<properties><a.version>${property('b')}</a.version><b>1.2</b></properties>
      <dependencies>${artifact('g:a', property('a.version'))}</dependencies>
      <profiles><profile><properties><c>3</c></properties>
      <dependencies>${artifact('g:c', property('c'))}</dependencies></profile></profiles>`,
    );

    expect(listDependencies(file)).toEqual(['g:a@1.2', 'g:c@3']);
  });

  it('takes versions from what it manages, which is no dependency by itself', () => {
    const file = readPom(
      `<dependencyManagement><dependencies>${artifact('g:used', '1')}${artifact('g:unused', '2')}</dependencies></dependencyManagement>
      <dependencies>${artifact('g:used')}</dependencies>`,
    );

    expect(listDependencies(file)).toEqual(['g:used@1']);
  });

  it('uses the bills of materials that it imports, and a parent from elsewhere', () => {
    const parent =
      '<parent><groupId>org.example</groupId><artifactId>parent</artifactId><version>3.2.0</version><relativePath/></parent>';
    const imported = artifact('g:bom', '2.15', '<type>pom</type><scope>import</scope>');

    const file = readPom(
      `${parent}<dependencyManagement><dependencies>${imported}</dependencies></dependencyManagement>`,
    );

    expect(listDependencies(file)).toEqual(['g:bom@2.15', 'org.example:parent@3.2.0']);
  });

  it('takes a parent and modules of its own group for the project itself', () => {
    const file = read(
      'pom.xml',
      `<project><modelVersion>4.0.0</modelVersion>
      <parent><groupId>com.example</groupId><artifactId>shop</artifactId><version>1.0</version></parent>
      <artifactId>web</artifactId>
      <dependencies>${artifact('com.example:core', property('project.version'))}</dependencies></project>`,
    );

    expect(file).toMatchObject({
      dependencies: [],
      unpinned: [],
      own: ['com.example:web', 'com.example:shop', 'com.example:core'],
    });
  });

  it('names what else a build reads: its parent, bills of materials and plugins, also those of profiles', () => {
    const plugin = (artifactId: string, more = '') =>
      `<plugin><artifactId>${artifactId}</artifactId>${more}</plugin>`;
    const build = (content: string) => `<build><plugins>${content}</plugins></build>`;

    const { plugins, incomplete } = readPom(
      `<parent><groupId>org.example</groupId><artifactId>parent</artifactId><version>3.2.0</version></parent>
      <properties><jacoco>0.8.12</jacoco><bom>2.15</bom></properties>
      <dependencyManagement><dependencies>${artifact('g:bom', property('bom'), '<scope>import</scope>')}</dependencies></dependencyManagement>
      <build>
        <extensions><extension><groupId>g</groupId><artifactId>ext</artifactId><version>1</version></extension></extensions>
        <pluginManagement><plugins>${plugin('maven-jar-plugin', '<version>3.4.1</version>')}</plugins></pluginManagement>
        <plugins>${plugin('maven-jar-plugin')}${plugin('jacoco', `<groupId>org.jacoco</groupId><version>${property('jacoco')}</version>`)}</plugins>
      </build>
      <profiles><profile>${build(plugin('maven-gpg-plugin', `<version>${property('unknown')}</version>`))}</profile></profiles>`,
    );

    expect(plugins).toEqual([
      'org.apache.maven.plugins:maven-jar-plugin:3.4.1',
      'org.jacoco:jacoco:0.8.12',
      'g:ext:1',
      'org.apache.maven.plugins:maven-gpg-plugin',
    ]);
    expect(incomplete).toContain('BOMs are checked here: org.example:parent:3.2.0, g:bom:2.15.');
    expect(incomplete).toContain('org.jacoco:jacoco:0.8.12, g:ext:1,');
    expect(incomplete).toContain('(gateMavenPlugins)');
    expect(incomplete).toMatch(/dependency-tree\.txt$/);
  });

  it.each([
    ['g:a', '', '', 'no_version'],
    ['g:a', property('unknown'), '', 'variable'],
    ['g:a', '[1.0,2.0)', '', 'range'],
    ['g:a', 'LATEST', '', 'range'],
    ['g:a', '1', '<scope>system</scope><systemPath>/a.jar</systemPath>', 'file'],
    [`${property('group')}:a`, '1', '', 'variable'],
  ])('leaves %s %s%s, for it is of the kind %s', (name, version, more, reason) => {
    const { dependencies, unpinned } = readDeclared(artifact(name, version, more));

    expect(dependencies).toEqual([]);
    expect(unpinned).toMatchObject([{ reason, line: 5 }]);
  });

  it('pins by a range of one version', () => {
    expect(listDependencies(readDeclared(artifact('g:a', '[1.0]')))).toEqual(['g:a@1.0']);
  });

  it('does not go round in properties that name each other', () => {
    const file = readPom(
      `<properties><a>${property('b')}</a><b>${property('a')}</b></properties><dependencies>${artifact('g:a', property('a'))}</dependencies>`,
    );

    expect(listUnpinned(file)).toEqual([`variable g:a:${property('a')}`]);
  });
});

describe("Gradle's lockfile", () => {
  const text = `# This is a Gradle generated file for dependency locking.
# Manual edits can break the build and are not advised.
com.google.guava:guava:32.1.2-jre=compileClasspath,runtimeClasspath
org.slf4j:slf4j-api:2.0.9=runtimeClasspath
empty=annotationProcessor
`;

  it.each(['gradle.lockfile', 'buildscript-gradle.lockfile', 'app/gradle.lockfile'])(
    'is read: %s',
    (path) => {
      expect(read(path, text)).toMatchObject({
        format: 'gradle.lockfile',
        dependencies: [
          { ecosystem: 'maven', name: 'com.google.guava:guava', version: '32.1.2-jre', line: 3 },
          { ecosystem: 'maven', name: 'org.slf4j:slf4j-api', version: '2.0.9', line: 4 },
        ],
        unpinned: [],
        own: [],
      });
    },
  );

  it('has a line that is none named', () => {
    expect(listUnpinned(read('gradle.lockfile', `${text}what is this?\n`))).toEqual([
      'unreadable what is this?',
    ]);
  });
});
