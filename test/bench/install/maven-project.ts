/** The project of Maven, and its install. */
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PackageId } from '../../../shared/domain/packages/package-id.ts';
import { type Client, type Project, type ProjectOptions, withFolder } from './client.ts';
import { makePom } from './projects.ts';
import { runCommand } from './run-command.ts';

/** A fixed release, so that Maven looks for none. */
const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:resolve';

const makeSettings = (address: string): string => `<settings>
  <mirrors>
    <mirror><id>bench</id><mirrorOf>*</mirrorOf><url>${address}</url></mirror>
  </mirrors>
</settings>
`;

const repository = 'repository';

const installWithMaven =
  (pom: string): Client['install'] =>
  async (address, folder) => {
    const home = join(folder, 'home');
    mkdirSync(home, { recursive: true });
    writeFileSync(join(folder, 'pom.xml'), pom);
    writeFileSync(join(folder, 'settings.xml'), makeSettings(address));
    const local = `-Dmaven.repo.local=${join(folder, repository)}`;
    const ms = await runCommand({
      program: 'mvn',
      args: ['-B', '-q', '-s', 'settings.xml', '-gs', 'settings.xml', local, goal],
      cwd: folder,
      home,
      // The home folder of Java is that of the user, whatever the variable HOME says.
      environment: { MAVEN_OPTS: `-Duser.home=${home}` },
    });
    return { ms, installed: globSync(`${repository}/**/*.jar`, { cwd: folder }).length };
  };

const pomPath = /^\/maven\/(?<group>.+)\/(?<artifact>[^/]+)\/(?<version>[^/]+)\/[^/]+\.pom$/;

/** Returns the artifacts whose POMs were requested. */
export const listArtifacts = (requests: readonly string[]): readonly PackageId[] =>
  [...new Set(requests)].flatMap((path) => {
    const { group, artifact, version } = pomPath.exec(path)?.groups ?? {};
    if (group === undefined || version === undefined) return [];
    return [{ ecosystem: 'maven', name: `${group.replaceAll('/', '.')}:${artifact}`, version }];
  });

/** Installs the project once, and takes the packages from the requests. They include Maven's plugins. */
export const prepareMavenProject = async (options: ProjectOptions): Promise<Project> => {
  const { origin, size, folder } = options;
  const install = installWithMaven(makePom(size));
  origin.takeRequests();
  await withFolder(folder, (empty) => install(origin.addresses.maven, empty));
  return {
    packages: listArtifacts(origin.takeRequests()),
    clients: [{ name: 'Maven', ecosystem: 'maven', install }],
  };
};
