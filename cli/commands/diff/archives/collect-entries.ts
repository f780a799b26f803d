import {
  type Archive,
  type ArchiveBounds,
  type ArchivedFile,
  ArchiveError,
  type RefusedEntry,
} from './archive.ts';
import { findPathFault, normalizePath, type ToPackagePath } from './entry-path.ts';

/** Receives the entries of an archive in their order. */
export interface EntryCollector {
  /**
   * Counts an entry of any kind.
   * @throws {ArchiveError} above the limit
   */
  readonly count: () => void;
  readonly add: (name: string, file: ArchivedFile) => void;
  readonly refuse: (name: string, reason: string) => void;
  readonly finish: () => Archive;
}

const longestShownName = 200;

const isSame = (one: ArchivedFile, other: ArchivedFile): boolean =>
  one.isExecutable === other.isExecutable && one.content.equals(other.content);

/** Collects the entries of an archive. A later file replaces an earlier one of the same path, as in package managers. */
export const collectEntries = (
  bounds: Pick<ArchiveBounds, 'entries'>,
  toPackagePath: ToPackagePath,
): EntryCollector => {
  const files = new Map<string, ArchivedFile>();
  const refused: RefusedEntry[] = [];
  let entries = 0;
  const refuse = (name: string, reason: string): void => {
    refused.push({ path: name.slice(0, longestShownName), reason });
  };
  return {
    count: () => {
      entries += 1;
      if (entries > bounds.entries)
        throw new ArchiveError(`has more than ${bounds.entries.toLocaleString('en')} entries`);
    },
    add: (name, file) => {
      const fault = findPathFault(name);
      const path = fault === undefined ? toPackagePath(normalizePath(name)) : undefined;
      if (path === undefined) {
        refuse(name, fault ?? 'the file is outside the package folder');
        return;
      }
      const earlier = files.get(path);
      if (earlier && !isSame(earlier, file)) refuse(name, 'an earlier entry has the same path');
      files.set(path, file);
    },
    refuse,
    finish: () => ({ files, refused }),
  };
};
