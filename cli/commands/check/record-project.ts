import { FilePath, SnapshotRequest } from '../../../shared/api/schemas/snapshot.ts';
import { isPackageName } from '../../../shared/domain/packages/package-name.ts';
import { isPackageVersion } from '../../../shared/domain/packages/package-version.ts';
import {
  maxSnapshotVersions,
  maxVersionFiles,
} from '../../../shared/domain/projects/project-limits.ts';
import { isRef, refRule } from '../../../shared/domain/projects/project-name.ts';
import type {
  Finding,
  ProjectFile,
  UsedVersion,
} from '../../../shared/use-cases/dependency-check/findings.ts';
import { UsageError } from '../../input/usage-error.ts';
import { formatCount } from '../../output/text.ts';
import type { Environment } from '../../session/environment.ts';
import type { Session } from '../../session/session.ts';
import { listDecided } from './decided-versions.ts';
import type { CheckFlags } from './options.ts';
import type { Project } from './read-project.ts';

/** The ref of a project without `--ref`, outside CI jobs. */
const defaultRef = 'main';

/** The recorded snapshot. */
export interface RecordingReport {
  readonly project: string;
  readonly ref: string;
  readonly number: number;
  readonly digest: string;
  readonly versions: number;
  readonly changed: boolean;
  readonly added: number;
  readonly removed: number;
  /** Number of entries that name no version which the registry can keep, such as ranges. */
  readonly left_out: number;
}

const isDirect = ({ places }: UsedVersion): boolean | null => {
  const chains = places.map(({ through }) => through);
  if (chains.some((through) => through?.length === 0)) return true;
  return chains.every((through) => through !== undefined) ? false : null;
};

const toVersion = (used: UsedVersion) => {
  const { ecosystem, name, version } = used.dependency;
  const files = [...new Set(used.places.map(({ file }) => file))];
  return {
    ...{ ecosystem, name, version, direct: isDirect(used) },
    files: files.filter((file) => FilePath.safeParse(file).success).slice(0, maxVersionFiles),
  };
};

const isVersion = ({ dependency: { ecosystem, name, version } }: UsedVersion): boolean =>
  isPackageName(ecosystem, name) && isPackageVersion(ecosystem, version);

/** The flags of a recording. */
export interface RecordFlags {
  readonly record?: string;
  readonly ref?: string;
  readonly commit?: string | undefined;
  readonly owner?: string | undefined;
}

/**
 * Returns the flags of a recording, with the ref and the commit of a CI job as defaults.
 * @throws {UsageError} for a flag without `--record`, or a value that the registry refuses
 */
export const completeRecordFlags = (
  { record, ref, commit, owner }: CheckFlags,
  job: Pick<Environment, 'ref' | 'commit'>,
): RecordFlags => {
  const alone = Object.entries({ ref, commit, owner }).find(([, value]) => value !== undefined);
  if (alone && record === undefined) throw new UsageError(`--${alone[0]} needs --record.`);
  if (record === undefined) return {};
  if (ref === undefined && job.ref !== undefined && !isRef(job.ref)) {
    throw new UsageError(`The ref of the CI job, ${job.ref}, ${refRule}. Give one with --ref.`);
  }
  const given = { ref: ref ?? job.ref ?? defaultRef, commit: commit ?? job.commit, owner };
  const [issue] = SnapshotRequest.safeParse({ ...given, versions: [] }).error?.issues ?? [];
  if (issue) throw new UsageError(`--${issue.path.join('.')} ${issue.message}.`);
  return { record, ...given };
};

const formatMore = (count: number): string =>
  `${formatCount(count)} more ${count === 1 ? 'file' : 'files'}`;

/** Returns why a snapshot of the project would lack packages, and what to do; undefined if it is whole. */
const explainMissing = ({ files, notChecked }: Project): string | undefined => {
  const [first, ...others] = files.filter(({ content }) => content === undefined);
  if (first) {
    return others.length === 0
      ? `${first.path} is unreadable. Repair it and record again.`
      : `${first.path} and ${formatMore(others.length)} are unreadable. Repair them and record again.`;
  }
  // Other ecosystems are out of scope, as for --require-closure.
  const [gap, ...gaps] = notChecked.filter(({ reason }) => reason !== 'other_ecosystem');
  if (!gap) return undefined;
  const more = gaps.length === 0 ? '' : ` Packages of ${formatMore(gaps.length)} were not checked.`;
  return `${gap.file}: ${gap.message}${more} Or name the files to record.`;
};

const countUnpinned = (files: readonly ProjectFile[]): number =>
  files.reduce((sum, { content }) => sum + (content?.unpinned.length ?? 0), 0);

/**
 * Records what the files of a project list.
 * @throws {UsageError} if the files do not show all packages, or list too many versions
 * @throws {RequestError} if the registry refuses or cannot be reached
 */
export const recordProject = async (
  project: Project,
  found: ReadonlyMap<UsedVersion, Finding>,
  { record: name = '', ref = defaultRef, commit, owner }: RecordFlags,
  { client }: Session,
): Promise<RecordingReport> => {
  const missing = explainMissing(project);
  // A partial snapshot would answer that the project does not have the missing packages.
  if (missing !== undefined) throw new UsageError(missing);
  const { files } = project;
  const used = listDecided([...found].filter(([{ places }]) => places.length > 0));
  const versions = used.filter(isVersion).map(toVersion);
  if (versions.length > maxSnapshotVersions) {
    throw new UsageError(
      `--record keeps at most ${formatCount(maxSnapshotVersions)} versions, and the files list ${formatCount(versions.length)}: record parts of the project under names of their own.`,
    );
  }
  const body = { ref, versions, ...(commit && { commit }), ...(owner && { owner }) };
  const recorded = await client.recordSnapshot({ path: { project: name }, body });
  const { number, digest, changed, added, removed } = recorded;
  return {
    ...{ project: recorded.project, ref: recorded.ref, number, digest },
    ...{ versions: recorded.versions, changed, added, removed },
    left_out: used.length - versions.length + countUnpinned(files),
  };
};
