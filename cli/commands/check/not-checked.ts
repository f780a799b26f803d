import { basename, resolve } from 'node:path';
import type { DependencyFormat } from '../../../shared/ecosystems/lockfiles/dependency-file.ts';
import {
  explainUnreadFile,
  isOfOtherEcosystem,
} from '../../../shared/ecosystems/lockfiles/unread-files.ts';
import { explainMissingLockfile } from '../../../shared/ecosystems/lockfiles/without-lockfile.ts';
import { findDependencyFormat } from '../../../shared/ecosystems/parse-dependency-file.ts';
import { isBesideOrAbove } from '../../../shared/use-cases/dependency-check/folders.ts';
import { isLocked } from '../../../shared/use-cases/dependency-check/locks.ts';
import { isObject, parseJson } from '../../../shared/util/json.ts';
import { readTextOrNothing } from '../../input/files.ts';
import { type Search, toShownPath } from './find-files.ts';

/** A file that shows that the project has more packages than were checked. */
export interface NotChecked {
  readonly file: string;
  /**
   * Its ecosystem is not covered; its format is not read; it has no lockfile; or it cannot list everything that is installed.
   */
  readonly reason: 'other_ecosystem' | 'not_read' | 'no_lockfile' | 'incomplete';
  readonly message: string;
}

interface Manifest {
  /** The formats of lockfiles that pin its dependencies. */
  readonly lockedBy: readonly DependencyFormat[];
  /** Lockfiles of formats that are not read; these are reported themselves. */
  readonly lockedUnread: readonly string[];
  /** Returns whether it has dependencies. */
  readonly hasDependencies: (text: string) => boolean;
  /** The command that creates a lockfile. */
  readonly lockCommand: string;
}

const sboms = ['cyclonedx', 'spdx'] as const;

const hasMembers = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0;

const hasNpmDependencies = (text: string): boolean => {
  const manifest = parseJson(text);
  if (!isObject(manifest)) return true;
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  return [dependencies, devDependencies, optionalDependencies].some(hasMembers);
};

const npm: Manifest = {
  lockedBy: ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', ...sboms],
  lockedUnread: ['bun.lockb'],
  hasDependencies: hasNpmDependencies,
  lockCommand: 'npm install --package-lock-only',
};
const pipfile: Manifest = {
  lockedBy: ['Pipfile.lock', 'pylock.toml', 'requirements.txt', ...sboms],
  lockedUnread: [],
  hasDependencies: () => true,
  lockCommand: 'pipenv lock',
};
const gradle: Manifest = {
  lockedBy: ['gradle.lockfile', ...sboms],
  lockedUnread: [],
  hasDependencies: (text) => /\bdependencies\s*\{/.test(text),
  lockCommand: 'gradle dependencies --write-locks',
};

const manifests: ReadonlyMap<string, Manifest> = new Map([
  ['package.json', npm],
  ['Pipfile', pipfile],
  ['build.gradle', gradle],
  ['build.gradle.kts', gradle],
  // Lockfiles list all that it lists.
  ['verification-metadata.xml', gradle],
]);

/** Compares absolute paths, since searched folders may be beside or above the current one. */
const isPinned = (path: string, manifest: Manifest, { files, others }: Search): boolean => {
  const from = resolve(path);
  const found = files.map((file) => ({
    path: resolve(file.path),
    format: findDependencyFormat(file.path),
  }));
  const isUnread = (other: string): boolean =>
    manifest.lockedUnread.includes(basename(other)) && isBesideOrAbove(resolve(other), from);
  return isLocked(from, manifest.lockedBy, found) || others.some(isUnread);
};

const explain = (path: string, search: Search): Omit<NotChecked, 'file'> | undefined => {
  const manifest = manifests.get(basename(path));
  if (manifest && isPinned(path, manifest, search)) return undefined;
  const why = explainUnreadFile(path, () => readTextOrNothing(path));
  if (why !== undefined) {
    return { reason: isOfOtherEcosystem(path) ? 'other_ecosystem' : 'not_read', message: why };
  }
  return manifest?.hasDependencies(readTextOrNothing(path))
    ? { reason: 'no_lockfile', message: explainMissingLockfile(manifest.lockCommand) }
    : undefined;
};

/** Explains why a file that requires packages cannot be checked itself; undefined for other files. */
export const explainManifest = (path: string): string | undefined => {
  const manifest = manifests.get(basename(path));
  if (!manifest) return undefined;
  return `It does not list the installed versions. Check its lockfile instead, which \`${manifest.lockCommand}\` creates.`;
};

/** Lists the files in the searched folders that show that packages were not checked. */
export const listNotChecked = (search: Search): readonly NotChecked[] =>
  search.others.flatMap((path) => {
    const explained = explain(path, search);
    return explained === undefined ? [] : [{ file: toShownPath(path), ...explained }];
  });
