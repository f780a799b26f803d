import { readFileSync } from 'node:fs';
import type { DependencyFile } from '../../../shared/ecosystems/lockfiles/dependency-file.ts';
import { readDependencyFile } from '../../../shared/ecosystems/parse-dependency-file.ts';

/** The text of a file that a tool wrote; `files/README.md` says which one. */
export const exampleText = (path: string): string =>
  readFileSync(new URL(`files/${path}`, import.meta.url), 'utf8');

export const readExample = (path: string): DependencyFile =>
  readDependencyFile(path, exampleText(path));

/** Each dependency with what pulled it in, from the nearest up: `ms@2.1.3 < debug@4.4.1`; `?` where the file does not tell. */
export const listDependencies = ({ dependencies }: DependencyFile): string[] =>
  dependencies
    .map(({ name, version, through = ['?'] }) =>
      [`${name}@${version}`, ...through.toReversed()].join(' < '),
    )
    .toSorted();

/** Each entry that pins nothing, after its reason: `git tool@1.0.0`. */
export const listUnpinned = ({ unpinned }: DependencyFile): string[] =>
  unpinned.map(({ reason, text }) => `${reason} ${text}`).toSorted();

/** Reads a file as if it had that name. */
export const read = (path: string, text: string): DependencyFile => readDependencyFile(path, text);
