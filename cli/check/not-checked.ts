import { basename, dirname, relative } from 'node:path';
import type { DependencyFormat } from '../../shared/dependencies/dependency-file.ts';
import { findDependencyFormat } from '../../shared/dependencies/read-dependency-file.ts';
import { explainUnreadFile } from '../../shared/dependencies/unread-files.ts';
import { isObject, parseJson } from '../../shared/domain/json.ts';
import { readTextOrNothing } from '../input/files.ts';
import { type Search, toShownPath } from './find-files.ts';

/** A file that says that the project uses more than what was checked. */
export interface NotChecked {
  readonly file: string;
  readonly message: string;
}

interface Manifest {
  /** The formats of lockfiles that pin what it asks for. */
  readonly lockedBy: readonly DependencyFormat[];
  /** Those of them that are not read; they are told by themselves. */
  readonly lockedUnread: readonly string[];
  /** Whether it asks for anything. */
  readonly asks: (text: string) => boolean;
}

const bills = ['cyclonedx', 'spdx'] as const;

const hasMembers = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 0;

const asksNpm = (text: string): boolean => {
  const manifest = parseJson(text);
  if (!isObject(manifest)) return true;
  const { dependencies, devDependencies, optionalDependencies } = manifest;
  return [dependencies, devDependencies, optionalDependencies].some(hasMembers);
};

const npm: Manifest = {
  lockedBy: ['package-lock.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', ...bills],
  lockedUnread: ['bun.lockb'],
  asks: asksNpm,
};
const pythonLocks: readonly DependencyFormat[] = [
  'poetry.lock',
  'uv.lock',
  'Pipfile.lock',
  'pylock.toml',
  'requirements.txt',
];
const python: Manifest = {
  lockedBy: [...pythonLocks, ...bills],
  lockedUnread: ['pdm.lock'],
  // Many have only the settings of tools.
  asks: (text) =>
    /^\s*dependencies\s*=|^\[(?:tool\.poetry\..*dependencies|dependency-groups)\]/m.test(text),
};
const gradle: Manifest = {
  lockedBy: ['gradle.lockfile', ...bills],
  lockedUnread: [],
  asks: (text) => /\bdependencies\s*\{/.test(text),
};

const manifests: ReadonlyMap<string, Manifest> = new Map([
  ['package.json', npm],
  ['pyproject.toml', python],
  ['Pipfile', { ...python, asks: () => true }],
  ['build.gradle', gradle],
  ['build.gradle.kts', gradle],
]);

const isBesideOrAbove = (path: string, manifest: string): boolean =>
  !relative(dirname(path), manifest).startsWith('..');

const isLocked = (path: string, manifest: Manifest, { files, others }: Search): boolean =>
  files.some((file) => {
    const format = findDependencyFormat(file.path);
    return format && manifest.lockedBy.includes(format) && isBesideOrAbove(file.path, path);
  }) ||
  others.some(
    (other) => manifest.lockedUnread.includes(basename(other)) && isBesideOrAbove(other, path),
  );

const explain = (path: string, search: Search): string | undefined => {
  const why = explainUnreadFile(path, () => readTextOrNothing(path));
  if (why !== undefined) return why;
  const manifest = manifests.get(basename(path));
  if (!manifest || isLocked(path, manifest, search)) return undefined;
  return manifest.asks(readTextOrNothing(path))
    ? 'It has no lockfile beside or above it that was checked, so that what it asks for was not either.'
    : undefined;
};

/** What lies in the folders that were searched, and says that there is more to check than there are files to read. */
export const listNotChecked = (search: Search): readonly NotChecked[] =>
  search.others.flatMap((path) => {
    const message = explain(path, search);
    return message === undefined ? [] : [{ file: toShownPath(path), message }];
  });
