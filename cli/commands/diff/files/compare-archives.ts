import { createHash } from 'node:crypto';
import type { Archive, ArchivedFile, RefusedEntry } from '../archives/archive.ts';
import { type ContentKind, classifyContent, contentKinds } from './classify-content.ts';
import { diffText, type TextDiff } from './diff-text.ts';
import { findInstallFiles } from './install-files.ts';

/** What happened to a file. `mode`: only its executable bit changed. */
export const changeKinds = ['added', 'removed', 'mode', 'changed'] as const;
export type ChangeKind = (typeof changeKinds)[number];

interface FileState {
  readonly size: number;
  readonly sha256: string;
  readonly executable: boolean;
}

/** A file that differs between two archives. */
export interface FileChange {
  readonly path: string;
  readonly change: ChangeKind;
  /** Whether the file runs at installation, or decides on what does. */
  readonly runs_at_install: boolean;
  readonly content: ContentKind;
  readonly before: FileState | null;
  readonly after: FileState | null;
  /** The unified diff; null for a file that is named only. */
  readonly diff: string | null;
  /** The number of lines of the diff that are left out. */
  readonly omitted_lines: number;
}

/** The differences between two archives. */
export interface ArchiveComparison {
  readonly changes: readonly FileChange[];
  /** The number of changed files that are left out at the end. */
  readonly omitted_changes: number;
  /** The number of text files without a diff, because the output reached its limit. */
  readonly omitted_diffs: number;
  readonly unchanged: number;
  readonly refused: readonly (RefusedEntry & { readonly archive: 'before' | 'after' })[];
  /** The number of refused entries that are left out at the end. */
  readonly omitted_refused: number;
}

/** The limits of a comparison's output. */
export interface OutputBounds {
  readonly linesPerFile: number;
  readonly lines: number;
  readonly changes: number;
  readonly refused: number;
}

const outputBounds: OutputBounds = {
  ...{ linesPerFile: 1_000, lines: 10_000 },
  ...{ changes: 2_000, refused: 100 },
};

const hash = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

const toState = (file: ArchivedFile | undefined): FileState | null =>
  file
    ? { size: file.content.length, sha256: hash(file.content), executable: file.isExecutable }
    : null;

/** The two states of a file by its path. */
interface FilePair {
  readonly path: string;
  readonly old: ArchivedFile | undefined;
  readonly fresh: ArchivedFile | undefined;
  readonly runsAtInstall: boolean;
}

/** Returns what happened to a file; undefined if it is unchanged. */
const findChange = ({ old, fresh }: FilePair): ChangeKind | undefined => {
  if (!old || !fresh) return old ? 'removed' : 'added';
  if (!old.content.equals(fresh.content)) return 'changed';
  return old.isExecutable === fresh.isExecutable ? undefined : 'mode';
};

const listPairs = (before: Archive, after: Archive): FilePair[] => {
  const wasInstalling = findInstallFiles(before.files);
  const isInstalling = findInstallFiles(after.files);
  const paths = [...new Set([...before.files.keys(), ...after.files.keys()])].sort();
  return paths.map((path) => ({
    path,
    old: before.files.get(path),
    fresh: after.files.get(path),
    runsAtInstall: wasInstalling(path) || isInstalling(path),
  }));
};

/** Returns the kind of a pair: the one that is hardest to show. */
const classifyPair = ({ old, fresh, runsAtInstall }: FilePair): ContentKind => {
  const kinds = [old, fresh].flatMap((file) =>
    file ? classifyContent(file.content, runsAtInstall) : [],
  );
  return contentKinds.findLast((kind) => kinds.includes(kind)) ?? 'text';
};

/** The content of a removed file can do no harm, so that it is not shown. */
const isShown = (change: ChangeKind, content: ContentKind): boolean =>
  content === 'text' && (change === 'added' || change === 'changed');

const toText = (file: ArchivedFile | undefined): string => file?.content.toString('utf8') ?? '';

/** Files for people and editors, which are shown after code, as the output is limited. */
const isForPeople = /\.(?:md|rst|txt|map|d\.[cm]?ts)$/i;

const rank = ({ path, runsAtInstall }: FilePair): number => {
  if (runsAtInstall) return 0;
  return isForPeople.test(path) ? 2 : 1;
};

/** Compares the content of two archives: first the files that run at installation, then code, then documentation. */
export const compareArchives = (
  before: Archive,
  after: Archive,
  bounds: OutputBounds = outputBounds,
): ArchiveComparison => {
  const pairs = listPairs(before, after);
  const changed = pairs.flatMap((pair) => {
    const change = findChange(pair);
    return change ? [{ ...pair, change }] : [];
  });
  const sorted = changed.toSorted((one, other) => rank(one) - rank(other));
  let [linesLeft, omittedDiffs] = [bounds.lines, 0];
  const showDiff = (pair: FilePair): TextDiff | undefined => {
    if (linesLeft === 0) {
      omittedDiffs += 1;
      return undefined;
    }
    const mostLines = Math.min(linesLeft, bounds.linesPerFile);
    const diff = diffText(toText(pair.old), toText(pair.fresh), mostLines);
    linesLeft -= diff.lines.length;
    return diff;
  };
  const toChange = (pair: (typeof sorted)[number]): FileChange => {
    const { path, change, old, fresh, runsAtInstall } = pair;
    const content = classifyPair(pair);
    const diff = isShown(change, content) ? showDiff(pair) : undefined;
    return {
      ...{ path, change, runs_at_install: runsAtInstall, content },
      ...{ before: toState(old), after: toState(fresh) },
      ...{ diff: diff?.lines.join('\n') ?? null, omitted_lines: diff?.omitted ?? 0 },
    };
  };
  const changes = sorted.slice(0, bounds.changes).map(toChange);
  const refused = [
    ...before.refused.map((entry) => ({ ...entry, archive: 'before' as const })),
    ...after.refused.map((entry) => ({ ...entry, archive: 'after' as const })),
  ];
  return {
    changes,
    omitted_changes: sorted.length - changes.length,
    omitted_diffs: omittedDiffs,
    unchanged: pairs.length - changed.length,
    refused: refused.slice(0, bounds.refused),
    omitted_refused: Math.max(0, refused.length - bounds.refused),
  };
};
