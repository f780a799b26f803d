import { readTextAt } from '../../../util/json.ts';
import type { DependencyFile } from '../../lockfiles/dependency-file.ts';
import { type Found, gather } from '../../lockfiles/gather.ts';
import { parsePom, readOwn } from '../manifest/pom.ts';

/** File in which Maven notes from which repository it downloaded each file of a version. */
export const originsFile = '_remote.repositories';

/** A file of a version that a build can use. */
export interface LocalFile {
  readonly name: string;
  /** Its hash; or else the reason why it has none. */
  readonly hash: string | undefined;
  readonly fault?: string;
}

/** Why a link is not read: it could lead anywhere. */
export const linkFault = 'it is a link, and links are not followed';

/** One version in a local repository of Maven. */
export interface LocalVersion {
  /** Its folder below the repository, such as `org/acme/lib/1.0`. */
  readonly folder: string;
  readonly files: readonly LocalFile[];
  /** Text of `_remote.repositories`. */
  readonly origins: string;
}

/** Returns the artifact and the version that a folder is for, and the folders above. */
const readFolder = (folder: string) => {
  const [version = '', artifact = '', ...parents] = folder.split('/').reverse();
  return { version, artifact, parents: parents.reverse() };
};

/** Returns the name of the POM that belongs to a folder. */
export const nameLocalPom = (folder: string): string => {
  const { version, artifact } = readFolder(folder);
  return `${artifact}-${version}.pom`;
};

/** Endings of checksums, signatures, locks, and downloads that failed or are not complete. */
const notes = /\.(?:sha1|sha256|sha512|md5|asc|lastUpdated|lock|part|tmp)$/;

/** True if Maven can use a file of this name in this folder as a file of the version, whatever its type is. */
export const isLocalArtifact = (folder: string, file: string): boolean => {
  const { version, artifact } = readFolder(folder);
  // Files of a snapshot can have the time of their build in their names.
  const [, base = version] = /^(.*-)SNAPSHOT$/.exec(version) ?? [];
  const start = `${artifact}-${base}`;
  const isOfVersion = file.startsWith(start) && /^[.-]/.test(file.slice(start.length) || ' ');
  const isOfSnapshot = base !== version && file.startsWith(start);
  return artifact !== '' && (isOfVersion || isOfSnapshot) && !notes.test(file);
};

const parse = (text: string): unknown => {
  try {
    return parsePom(text);
  } catch {
    return undefined;
  }
};

/**
 * Returns the folder of the repository that a version is in, according to its POM; undefined if the POM has other coordinates
 * than its folder. A variable in the version has the value of the folder.
 */
export const findRepository = (folder: string, pomText: string): string | undefined => {
  const { version, artifact, parents } = readFolder(folder);
  const pom = parse(pomText);
  const group = readOwn(pom, 'groupId');
  const stated = readOwn(pom, 'version');
  const isVersion = stated === version || stated?.includes('${') === true;
  if (!group || readTextAt(pom, 'artifactId') !== artifact || !isVersion) return undefined;
  const parts = group.split('.');
  if (parts.join('/') !== parents.slice(-parts.length).join('/')) return undefined;
  return parents.slice(0, -parts.length).join('/') || '/';
};

/** True if Maven notes for each file that a build on this machine installed it: then no repository has an id. */
const isInstalled = ({ files, origins }: LocalVersion): boolean => {
  const lines = origins.split(/\r?\n/);
  return files.every(
    ({ name }) =>
      lines.includes(`${name}>=`) &&
      !lines.some((line) => line.startsWith(`${name}>`) && line !== `${name}>=`),
  );
};

/** Returns why Maven finds no version in a folder; undefined if it does. */
const findFault = ({ parents, version }: ReturnType<typeof readFolder>): string | undefined => {
  if (parents.length === 0 || [...parents, version].includes('')) return 'its folder has no group';
  const isDotted = parents.some((part) => part.includes('.'));
  return isDotted ? 'a folder of its group has a dot in its name' : undefined;
};

const readVersion = (local: LocalVersion): Found[] => {
  const folder = readFolder(local.folder);
  const { version, artifact, parents } = folder;
  const name = `${parents.join('.')}:${artifact}`;
  const text = `${name}:${version}`;
  const fault = findFault(folder);
  if (fault !== undefined) return [{ text: local.folder, reason: 'unreadable', detail: fault }];
  if (isInstalled(local)) {
    return [{ text, reason: 'file', detail: 'a build on this machine installed it' }];
  }
  if (version.endsWith('-SNAPSHOT')) return [{ text, reason: 'range' }];
  const hashes = local.files.flatMap(({ hash }) => hash ?? []);
  const unreadable = local.files.flatMap(({ name: file, fault: detail }): Found[] =>
    detail === undefined ? [] : [{ text: `${text} ${file}`, reason: 'unreadable', detail }],
  );
  return [{ ecosystem: 'maven', name, version, hashes }, ...unreadable];
};

/**
 * Returns the content of a local repository. The names of the versions follow from their folders, as for Maven itself.
 * `links` are folders behind links, which are not read.
 */
export const readLocalRepository = (
  versions: readonly LocalVersion[],
  links: readonly string[],
): DependencyFile => {
  const unread = links.map((text): Found => ({ text, reason: 'unreadable', detail: linkFault }));
  return {
    ...gather([...versions.flatMap(readVersion), ...unread]),
    format: 'maven-repository',
    note: 'It lists what builds with this local repository have downloaded.',
  };
};

/** Returns the content of a folder that has Maven's notes, and no POM that shows where its repository begins. */
export const explainNoRepository = (folder: string): DependencyFile => {
  const { artifact, version } = readFolder(folder);
  const detail = 'no POM shows where its repository begins';
  const unreadable: Found = { text: `${artifact}:${version}`, reason: 'unreadable', detail };
  return { ...gather([unreadable]), format: 'maven-repository' };
};
