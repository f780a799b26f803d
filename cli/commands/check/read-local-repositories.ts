import { readFile } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import {
  type LocalVersion,
  nameLocalPom,
  originsFile,
  readLocalRepositories,
} from '../../../shared/ecosystems/maven/lockfiles/local-repository.ts';
import type { ProjectFile } from '../../../shared/use-cases/dependency-check/findings.ts';
import { runInParallel } from '../../../shared/util/in-parallel.ts';
import { toShownPath } from './find-files.ts';

const parallelReads = 16;

/** The largest POM that is read, in bytes. Larger ones are unreadable. */
const maxPomBytes = 4_194_304;

const readText = async (path: string): Promise<string | undefined> => {
  try {
    const bytes = await readFile(path);
    return bytes.length > maxPomBytes ? '' : bytes.toString('utf8');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : '';
  }
};

const readLocalVersion = async (path: string): Promise<LocalVersion> => {
  const folder = resolve(path).split(sep).join('/');
  const [pom, origins = ''] = await Promise.all([
    readText(join(path, nameLocalPom(folder))),
    readText(join(path, originsFile)),
  ]);
  return { folder, pom, origins };
};

/** Reads the versions in local repositories of Maven. Each repository is one file of the project. */
export const readLocalVersions = async (folders: readonly string[]): Promise<ProjectFile[]> => {
  const versions = await runInParallel(folders, parallelReads, readLocalVersion);
  return [...readLocalRepositories(versions)].map(([root, content]) => ({
    path: toShownPath(root),
    content,
    fault: undefined,
  }));
};
