import { counts, type Finding, type FindingStatus, findingStatuses } from './findings.ts';
import type { ProjectFile } from './read-project.ts';

/** All that a check found out. */
export interface CheckReport {
  /** Whether nothing counts against the project. */
  readonly allowed: boolean;
  readonly files: readonly {
    readonly file: string;
    readonly format: string | null;
    readonly packages: number;
    readonly unpinned: number;
  }[];
  readonly counts: Readonly<Record<FindingStatus, number>>;
  /** The worst first. */
  readonly packages: readonly Finding[];
}

const countStatuses = (findings: readonly Finding[]): CheckReport['counts'] => {
  const count = (status: FindingStatus): number =>
    findings.filter((finding) => finding.status === status).length;
  return Object.fromEntries(
    findingStatuses.toReversed().map((status) => [status, count(status)]),
  ) as Record<FindingStatus, number>;
};

/** What was found in files, all together. */
export const makeReport = (
  files: readonly ProjectFile[],
  findings: readonly Finding[],
): CheckReport => ({
  allowed: !findings.some(counts),
  files: files.map(({ path, content }) => ({
    file: path,
    format: content?.format ?? null,
    packages: content?.dependencies.length ?? 0,
    unpinned: content?.unpinned.length ?? 0,
  })),
  counts: countStatuses(findings),
  packages: findings,
});

const statusWords: Readonly<Record<FindingStatus, string>> = {
  approved: 'approved',
  pending: 'waiting for review',
  unknown: 'never submitted',
  rejected: 'rejected',
  unpinned: 'without a version that can be told',
  unreadable: 'unreadable',
};

export const formatCount = (count: number): string => count.toLocaleString('en');

/** In a sentence: what is not allowed, and how much of it. */
export const summarize = ({ packages, files }: CheckReport): string => {
  const failing = packages.filter(counts);
  const of = `of ${formatCount(packages.length)} in ${files.length === 1 ? '1 file' : `${files.length} files`}`;
  const known = packages.filter(({ in_baseline }) => in_baseline).length;
  const rest = known === 0 ? '' : `; ${formatCount(known)} more were not allowed before`;
  if (failing.length === 0) return `All ${of} are allowed${rest}.`.replace('All of', 'All');
  const kinds = findingStatuses.flatMap((status) => {
    const count = failing.filter((finding) => finding.status === status).length;
    return count === 0 ? [] : [`${formatCount(count)} ${statusWords[status]}`];
  });
  return `${formatCount(failing.length)} ${of} ${failing.length === 1 ? 'is' : 'are'} not allowed: ${kinds.join(', ')}${rest}.`;
};
