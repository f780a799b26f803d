import {
  formatPackage,
  type ShownPackage,
} from '../../../../shared/domain/packages/format-package.ts';
import type { Output } from '../../../output/terminal.ts';
import { formatCount, showHidden, toOneLine } from '../../../output/text.ts';
import {
  type ArchiveComparison,
  type ChangeKind,
  changeKinds,
  type FileChange,
} from './compare-archives.ts';
import type { ListedFile } from './fetch-archive.ts';

/** An archive that was compared. */
export interface ComparedArchive extends ListedFile {
  readonly package: ShownPackage;
  /** The number of other files of the version, which were not compared. */
  readonly other_files: number;
}

/** The differences between the files of two versions. */
export interface FilesComparison extends ArchiveComparison {
  readonly before: ComparedArchive;
  readonly after: ComparedArchive;
}

/** Formats text from an archive on one line. */
const toSafeLine = (text: string): string => toOneLine(showHidden(text));

const formatArchive = (
  label: string,
  { package: of, file, digest, other_files }: ComparedArchive,
): string[] => [
  `${label}  ${toOneLine(formatPackage(of))}: ${toSafeLine(file)}, ${toSafeLine(digest ?? '')}`,
  ...(other_files > 0
    ? [`        ${formatCount(other_files)} other files of the version were not compared`]
    : []),
];

const formatRefused = (
  { refused, omitted_refused }: ArchiveComparison,
  output: Output,
): string[] => {
  if (refused.length === 0) return [];
  return [
    '',
    output.style(['bold', 'red'], 'Refused entries, which were not compared'),
    ...refused.map(({ archive, path, reason }) => `${archive}  ${toSafeLine(path)}: ${reason}`),
    ...(omitted_refused > 0 ? [`and ${formatCount(omitted_refused)} more`] : []),
  ];
};

const labels: Readonly<Record<ChangeKind, string>> = {
  added: 'added',
  removed: 'removed',
  mode: 'mode changed',
  changed: 'changed',
};

const describeSize = ({ before, after }: FileChange): string => {
  const sizes = [before, after].flatMap((state) => (state ? formatCount(state.size) : []));
  return `${sizes.join(' to ')} bytes`;
};

const describeMode = ({ before, after }: FileChange): string[] => {
  if (after && before?.executable === after.executable) return [];
  if (after?.executable) return [before ? 'became executable' : 'executable'];
  return before?.executable && after ? ['no longer executable'] : [];
};

const describeContent = ({ content, after }: FileChange): string[] => {
  if (content === 'text') return [];
  return [`${content}, not shown`, ...(after ? [`sha256:${after.sha256}`] : [])];
};

const byKind = (one: FileChange, other: FileChange): number =>
  Number(other.runs_at_install) - Number(one.runs_at_install) ||
  changeKinds.indexOf(one.change) - changeKinds.indexOf(other.change);

const labelWidth = Math.max(...Object.values(labels).map(({ length }) => length));

const formatChange = (change: FileChange, output: Output): string => {
  const about = [describeSize(change), ...describeMode(change), ...describeContent(change)].join(
    ', ',
  );
  const mark = change.runs_at_install ? output.style('yellow', ' runs at installation') : '';
  return `${labels[change.change].padEnd(labelWidth)}  ${toSafeLine(change.path)} (${about})${mark}`;
};

const describeCounts = ({ changes, omitted_changes, unchanged }: ArchiveComparison): string => {
  const counts = changeKinds.map((kind) => {
    const { length } = changes.filter(({ change }) => change === kind);
    return `${formatCount(length)} ${labels[kind]}`;
  });
  const more =
    omitted_changes > 0 ? [`${formatCount(omitted_changes)} more that are not listed`] : [];
  return [...counts, ...more, `${formatCount(unchanged)} unchanged`].join(', ');
};

const colourLine = (line: string, output: Output): string => {
  if (line.startsWith('+')) return output.style('green', line);
  if (line.startsWith('-')) return output.style('red', line);
  return line.startsWith('@@') ? output.style('cyan', line) : line;
};

const formatDiff = (
  { path, before, diff, omitted_lines }: FileChange,
  output: Output,
): readonly string[] => {
  if (diff === null || diff === '') return [];
  const shown = toSafeLine(path);
  return [
    '',
    output.style('bold', before ? `--- before/${shown}` : '--- /dev/null'),
    output.style('bold', `+++ after/${shown}`),
    ...diff.split('\n').map((line) => colourLine(line, output)),
    ...(omitted_lines > 0 ? [`${formatCount(omitted_lines)} more lines are not shown`] : []),
  ];
};

/** Formats the differences between the files of two versions: a list of the files, and then the unified diffs. */
export const formatComparison = (comparison: FilesComparison, output: Output): string[] => {
  const { changes, omitted_diffs } = comparison;
  return [
    ...formatArchive('Before', comparison.before),
    ...formatArchive('After ', comparison.after),
    ...formatRefused(comparison, output),
    '',
    output.style('bold', `Files: ${describeCounts(comparison)}`),
    ...changes.toSorted(byKind).map((change) => formatChange(change, output)),
    ...changes.flatMap((change) => formatDiff(change, output)),
    ...(omitted_diffs > 0
      ? [
          '',
          `The output has reached its limit: ${formatCount(omitted_diffs)} more files have changes that are not shown.`,
        ]
      : []),
  ];
};
