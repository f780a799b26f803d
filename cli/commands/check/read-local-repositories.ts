import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  explainNoRepository,
  findRepository,
  isLocalArtifact,
  type LocalFile,
  type LocalVersion,
  linkFault,
  nameLocalPom,
  originsFile,
  readLocalRepository,
} from '../../../shared/ecosystems/maven/lockfiles/local-repository.ts';
import type { ProjectFile } from '../../../shared/use-cases/dependency-check/findings.ts';
import { groupBy } from '../../../shared/util/group-by.ts';
import { runInParallel } from '../../../shared/util/in-parallel.ts';
import { toShownPath, withSlashes } from './find-files.ts';

const parallelReads = 16;

/** The largest POM and the largest note that is read, in bytes. */
const maxTextBytes = 4_194_304;

/** Returns the text of a file; nothing for a file that is too large, a link, a pipe, or cannot be read. */
const readText = async (path: string): Promise<string> => {
  try {
    const stats = await lstat(path);
    if (!stats.isFile() || stats.size > maxTextBytes) return '';
    return await readFile(path, 'utf8');
  } catch {
    return '';
  }
};

/** True if `path` is `folder` or below it. */
const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

/**
 * Returns the folders of the repositories that versions are in. Where versions disagree, most of them decide: one POM with
 * other coordinates does not change the names of the others.
 */
const findRoots = async (folders: readonly string[]): Promise<readonly string[]> => {
  const roots = await runInParallel(folders, parallelReads, async (folder) =>
    findRepository(folder, await readText(join(folder, nameLocalPom(folder)))),
  );
  const found = folders.map((folder, at) => ({ folder, root: roots[at] }));
  const votes = [...groupBy(found, ({ root }) => root)].toSorted(
    ([, some], [, others]) => others.length - some.length,
  );
  const chosen: string[] = [];
  for (const [root, some] of votes) {
    const isNew = some.some(({ folder }) => !chosen.some((one) => isWithin(folder, one)));
    if (root !== undefined && isNew) chosen.push(root);
  }
  return chosen;
};

const hashFile = async (path: string): Promise<string> => {
  const hash = createHash('sha1');
  await pipeline(createReadStream(path), hash);
  return `sha1:${hash.digest('hex')}`;
};

const readLocalFile = async (path: string, entry: Dirent): Promise<LocalFile> => {
  const { name } = entry;
  const none = { name, hash: undefined };
  if (entry.isSymbolicLink()) return { ...none, fault: linkFault };
  if (!entry.isFile()) return { ...none, fault: 'it is not a file' };
  try {
    return { name, hash: await hashFile(path) };
  } catch (error) {
    return { ...none, fault: (error as Error).message };
  }
};

/** What a part of a repository has. */
interface Contents {
  readonly versions: readonly LocalVersion[];
  readonly links: readonly string[];
}

interface Repository {
  readonly root: string;
  /** Roots of other repositories, which are not a part of it. */
  readonly others: readonly string[];
}

/** Reads a folder of a repository and all below. No name of a folder is left out: it can be the name of a group. */
const readBelow = async (path: string, repository: Repository): Promise<Contents> => {
  const folder = withSlashes(relative(repository.root, path));
  const entries = (await readdir(path, { withFileTypes: true })).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  );
  const artifacts = entries.filter(
    (entry) => !entry.isDirectory() && isLocalArtifact(folder, entry.name),
  );
  const links = entries.filter((entry) => entry.isSymbolicLink() && !artifacts.includes(entry));
  const files = await runInParallel(artifacts, parallelReads, (entry) =>
    readLocalFile(join(path, entry.name), entry),
  );
  const origins = files.length > 0 ? await readText(join(path, originsFile)) : '';
  const below: Contents[] = [];
  for (const entry of entries) {
    const next = join(path, entry.name);
    if (entry.isDirectory() && !repository.others.includes(withSlashes(next))) {
      below.push(await readBelow(next, repository));
    }
  }
  return {
    versions: [
      ...(files.length > 0 ? [{ folder, files, origins }] : []),
      ...below.flatMap(({ versions }) => versions),
    ],
    links: [
      ...links.map(({ name }) => (folder === '' ? name : `${folder}/${name}`)),
      ...below.flatMap((one) => one.links),
    ],
  };
};

/** Returns the folders of a repository to read: those that were named, or all of it. */
const selectParts = (root: string, named: readonly string[]): readonly string[] =>
  named.some((one) => isWithin(root, one)) ? [root] : named.filter((one) => isWithin(one, root));

const readRepository = async (
  repository: Repository,
  named: readonly string[],
): Promise<ProjectFile> => {
  const path = toShownPath(repository.root);
  try {
    const parts: Contents[] = [];
    for (const part of selectParts(repository.root, named)) {
      parts.push(await readBelow(part, repository));
    }
    const content = readLocalRepository(
      parts.flatMap(({ versions }) => versions),
      parts.flatMap(({ links }) => links),
    );
    return { path, content, fault: undefined };
  } catch (error) {
    return { path, content: undefined, fault: `It cannot be read: ${(error as Error).message}` };
  }
};

/** The local repositories of a project. */
export interface LocalRepositories {
  /** Each repository as one file of the project. */
  readonly files: readonly ProjectFile[];
  /** True if a file belongs to a version of a repository, so that it is no file of the project itself. */
  readonly has: (path: string) => boolean;
}

/**
 * Reads the local repositories of Maven that have versions in `folders`, as far as they are in the folders that arguments
 * name.
 */
export const readLocalRepositories = async (
  folders: readonly string[],
  named: readonly string[],
): Promise<LocalRepositories> => {
  const paths = folders.map((folder) => withSlashes(resolve(folder)));
  const roots = await findRoots(paths);
  const places = named.map((one) => withSlashes(resolve(one)));
  const files: ProjectFile[] = [];
  for (const root of roots) {
    const others = roots.filter((one) => one !== root);
    files.push(await readRepository({ root, others }, places));
  }
  const lost = paths.filter((path) => !roots.some((root) => isWithin(path, root)));
  for (const path of lost) {
    files.push({ path: toShownPath(path), content: explainNoRepository(path), fault: undefined });
  }
  const has = (path: string): boolean => {
    const full = withSlashes(resolve(path));
    const root = roots.find((one) => isWithin(full, one));
    const folder = root === undefined ? '' : withSlashes(relative(root, dirname(full)));
    return isLocalArtifact(folder, basename(full));
  };
  return { files, has };
};
