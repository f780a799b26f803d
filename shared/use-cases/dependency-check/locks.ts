import type { DependencyFormat, FolderFormat } from '../../ecosystems/lockfiles/dependency-file.ts';
import { isBesideOrAbove } from './folders.ts';

/** A file that may be a lockfile, with its format if known. */
interface PossibleLock {
  readonly path: string;
  readonly format: DependencyFormat | FolderFormat | undefined;
}

/** True for a list of build requirements. Only its file name distinguishes it from other requirements files. */
export const isBuildList = (path: string): boolean =>
  /(?:^|[/\\])build-requirements\.txt$/.test(path);

/** True if a lockfile of one of the formats is in the folder of a manifest, or in a parent folder. */
export const isLocked = (
  manifest: string,
  lockedBy: readonly (DependencyFormat | FolderFormat)[],
  files: readonly PossibleLock[],
): boolean =>
  files.some(
    ({ path, format }) =>
      format !== undefined &&
      lockedBy.includes(format) &&
      !isBuildList(path) &&
      isBesideOrAbove(path, manifest),
  );
