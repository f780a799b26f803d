import type { DependencyFormat } from '../../ecosystems/lockfiles/dependency-file.ts';
import { isBesideOrAbove } from './folders.ts';

/** A file that may be a lockfile, with its format where that is known. */
interface PossibleLock {
  readonly path: string;
  readonly format: DependencyFormat | undefined;
}

/** True for the list of what builds install, by its name: nothing in it tells it from another list of requirements. */
export const isBuildList = (path: string): boolean =>
  /(?:^|[/\\])build-requirements\.txt$/.test(path);

/** Returns whether a file of one of some formats lies beside a manifest or above it, and pins what the manifest asks for. */
export const isLocked = (
  manifest: string,
  lockedBy: readonly DependencyFormat[],
  files: readonly PossibleLock[],
): boolean =>
  files.some(
    ({ path, format }) =>
      format !== undefined &&
      lockedBy.includes(format) &&
      !isBuildList(path) &&
      isBesideOrAbove(path, manifest),
  );
