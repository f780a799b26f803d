import {
  type ContentCounts,
  countContents,
} from '../../../shared/use-cases/dependency-check/contents.ts';
import {
  counts,
  type Finding,
  type FindingStatus,
  findingStatuses,
} from '../../../shared/use-cases/dependency-check/findings.ts';
import type { CheckedSource } from '../../../shared/use-cases/dependency-check/sources.ts';
import { countTags, type TagCounts } from '../../../shared/use-cases/dependency-check/tags.ts';
import type { Fixes } from './fix/fix-files.ts';
import type { NotChecked } from './not-checked.ts';
import type { CheckFlags } from './options.ts';
import type { Project } from './read-project.ts';
import type { RecordingReport } from './record-project.ts';
import type { SubmissionReport } from './submit-unknown.ts';

/** The report of a check. */
export interface CheckReport {
  /** Whether all packages are allowed and, if required, all were checked. */
  readonly allowed: boolean;
  /** Whether a file with packages that were not checked fails the check. */
  readonly closure_required: boolean;
  readonly files: readonly {
    readonly file: string;
    readonly format: string | null;
    readonly packages: number;
    readonly unpinned: number;
    /** Whether it can list everything that is installed. */
    readonly complete: boolean;
    /**
     * In files of Python, the packages without a wheel, as `name@version`: pip builds these from source. Null if the file does not
     * list wheels.
     */
    readonly built_from_source?: readonly string[] | null;
  }[];
  /** Files that show that packages were not checked. */
  readonly not_checked: readonly NotChecked[];
  /** Notes on files, which do not fail the check. */
  readonly notes: readonly { readonly file: string; readonly message: string }[];
  /** The outcome of `--submit`; null without it. */
  readonly submission: SubmissionReport | null;
  /** The snapshot that `--record` recorded; null without one. */
  readonly recording: RecordingReport | null;
  readonly counts: Readonly<Record<FindingStatus, number>>;
  /** Each index and page of links in the files. */
  readonly sources: readonly CheckedSource[];
  /** How many versions were compared with the reviewed files. */
  readonly contents: ContentCounts;
  /** How many allowed images are named by their tags alone. */
  readonly tags: TagCounts;
  /** The references that `--fix` pinned, and those that it could not pin; null without it. */
  readonly fixed: Fixes['fixed'] | null;
  readonly not_fixed: Fixes['not_fixed'] | null;
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

const listIncomplete = (files: Project['files']): NotChecked[] =>
  files.flatMap(({ path, content }) =>
    content?.incomplete === undefined
      ? []
      : [{ file: path, reason: 'incomplete' as const, message: content.incomplete }],
  );

const listNotes = (files: Project['files']): CheckReport['notes'] =>
  files.flatMap(({ path, content }) =>
    content?.note === undefined ? [] : [{ file: path, message: content.note }],
  );

const describeFile = ({
  path,
  content,
}: Project['files'][number]): CheckReport['files'][number] => ({
  file: path,
  format: content?.format ?? null,
  packages: content?.dependencies.length ?? 0,
  unpinned: content?.unpinned.length ?? 0,
  complete: content !== undefined && content.incomplete === undefined,
  ...(content?.builds && {
    built_from_source: content.builds.mayBeMore ? null : content.builds.packages,
  }),
});

/** Returns whether a file with packages that were not checked fails the check. Other ecosystems are out of scope. */
export const failsCheck = (
  { reason }: NotChecked,
  { closure_required }: Pick<CheckReport, 'closure_required'>,
): boolean => closure_required && reason !== 'other_ecosystem';

/** Builds the report of a check. */
export const makeReport = (
  { files, notChecked, sources }: Project & Pick<CheckReport, 'sources'>,
  findings: readonly Finding[],
  { requireClosure = false }: Pick<CheckFlags, 'requireClosure'> = {},
): CheckReport => {
  const gaps = [...notChecked, ...listIncomplete(files)];
  const closure = { closure_required: requireClosure };
  return {
    allowed: !findings.some(counts) && !gaps.some((gap) => failsCheck(gap, closure)),
    ...closure,
    files: files.map(describeFile),
    not_checked: gaps,
    notes: listNotes(files),
    submission: null,
    recording: null,
    counts: countStatuses(findings),
    sources,
    contents: countContents(findings),
    tags: countTags(findings),
    ...{ fixed: null, not_fixed: null },
    packages: findings,
  };
};
