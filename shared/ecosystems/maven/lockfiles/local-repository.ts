import { groupBy } from '../../../util/group-by.ts';
import { readTextAt } from '../../../util/json.ts';
import type { DependencyFile } from '../../lockfiles/dependency-file.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';
import { parsePom, readOwn } from '../manifest/pom.ts';

/** File in which Maven notes from which repository it downloaded each file of a version. */
export const originsFile = '_remote.repositories';

/** One version in a local repository of Maven, such as `~/.m2/repository/org/acme/lib/1.0`. */
export interface LocalVersion {
  /** Its folder, with `/` between the parts. */
  readonly folder: string;
  /** Text of its POM; undefined if it has none. */
  readonly pom: string | undefined;
  /** Text of `_remote.repositories`. */
  readonly origins: string;
}

/** A version that was read, with the folder of its repository; undefined if only its POM could show that folder. */
interface ReadVersion {
  readonly root: string | undefined;
  readonly found: Found | undefined;
  /** Name of a version that was installed here and not downloaded. */
  readonly own?: string;
}

/** Returns the artifact and the version that a folder is for. */
const readFolder = (folder: string) => {
  const [version = '', artifact = '', ...group] = folder.split('/').reverse();
  return { version, artifact, parents: group.reverse() };
};

/** Returns the name of the POM that belongs to a folder. */
export const nameLocalPom = (folder: string): string => {
  const { version, artifact } = readFolder(folder);
  return `${artifact}-${version}.pom`;
};

/** True if Maven installed the POM from a build on this machine: then no repository has an id. */
const isInstalled = ({ folder, origins }: LocalVersion): boolean =>
  origins.split(/\r?\n/).includes(`${nameLocalPom(folder)}>=`);

const parse = (text: string): unknown => {
  try {
    return parsePom(text);
  } catch {
    return undefined;
  }
};

/**
 * Returns the group of a POM that belongs to a folder; undefined if the POM has other coordinates. A variable in the version
 * has the value of the folder.
 */
const findGroup = (pom: unknown, folder: string): string | undefined => {
  const { version, artifact, parents } = readFolder(folder);
  const group = readOwn(pom, 'groupId');
  const stated = readOwn(pom, 'version');
  const isVersion = stated === version || stated?.includes('${') === true;
  if (!group || readTextAt(pom, 'artifactId') !== artifact || !isVersion) return undefined;
  const parts = group.split('.');
  return parts.join('/') === parents.slice(-parts.length).join('/') ? group : undefined;
};

const readVersion = (local: LocalVersion): ReadVersion => {
  const { folder, pom } = local;
  const { version, artifact, parents } = readFolder(folder);
  const group = pom === undefined ? undefined : findGroup(parse(pom), folder);
  if (group === undefined) {
    const detail =
      pom === undefined ? 'its folder has no POM' : 'its POM is invalid, or has other coordinates';
    const text = `${artifact}:${version}`;
    return { root: undefined, found: { text, reason: 'unreadable', detail } };
  }
  const root = parents.slice(0, -group.split('.').length).join('/') || '/';
  const name = `${group}:${artifact}`;
  if (isInstalled(local)) return { root, found: undefined, own: name };
  const isSnapshot = version.endsWith('-SNAPSHOT');
  return {
    root,
    found: isSnapshot
      ? { text: `${name}:${version}`, reason: 'range' }
      : { ecosystem: 'maven', name, version },
  };
};

const explain = (own: number): string => {
  const lists = 'It lists what builds with this local repository have downloaded.';
  if (own === 0) return lists;
  const were = own === 1 ? '1 version was' : `${own} versions were`;
  return `${lists} ${were} installed from a build on this machine: these are not checked.`;
};

/** Returns the content of each local repository, by the folder of the repository. */
export const readLocalRepositories = (
  versions: readonly LocalVersion[],
): ReadonlyMap<string, DependencyFile> => {
  const read = versions.map(readVersion);
  // A version with an unreadable POM is in the same repository as the others.
  const [usual = '.'] = read.flatMap(({ root }) => root ?? []);
  const byRoot = groupBy(read, ({ root = usual }) => root);
  return new Map(
    [...byRoot].map(([root, some]) => {
      const own = [...new Set(some.flatMap((one) => one.own ?? []))];
      const installed = some.filter((one) => one.own !== undefined).length;
      const contents = gather(some.flatMap(({ found }) => found ?? []));
      return [root, { ...contents, format: 'maven-repository', own, note: explain(installed) }];
    }),
  );
};
