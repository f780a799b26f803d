import { FilePath, SnapshotRequest } from '../../../shared/api/schemas/snapshot.ts';
import { isPackageName } from '../../../shared/domain/packages/package-name.ts';
import { isPackageVersion } from '../../../shared/domain/packages/package-version.ts';
import {
  maxSnapshotVersions,
  maxVersionFiles,
} from '../../../shared/domain/projects/project-limits.ts';
import {
  listUsedVersions,
  type ProjectFile,
  type UsedVersion,
} from '../../../shared/use-cases/dependency-check/findings.ts';
import { UsageError } from '../../input/usage-error.ts';
import { formatCount } from '../../output/text.ts';
import type { Session } from '../../session/session.ts';
import type { CheckFlags } from './options.ts';

/** The ref of a project without `--ref`. */
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
  /** Number of entries that name no version which the registry can keep. */
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

/**
 * Checks the flags of a recording before anything is sent.
 * @throws {UsageError} for a flag without `--record`, or a value that the registry refuses
 */
export const checkRecordFlags = ({ record, ref, commit, owner }: CheckFlags): void => {
  const alone = Object.entries({ ref, commit, owner }).find(([, value]) => value !== undefined);
  if (alone && record === undefined) throw new UsageError(`--${alone[0]} needs --record.`);
  if (record === undefined) return;
  const request = { ref: ref ?? defaultRef, commit, owner, versions: [] };
  const [issue] = SnapshotRequest.safeParse(request).error?.issues ?? [];
  if (issue) throw new UsageError(`--${issue.path.join('.')} ${issue.message}.`);
};

/**
 * Records what the files of a project list.
 * @throws {UsageError} if there are no files, or too many versions
 * @throws {RequestError} if the registry refuses or cannot be reached
 */
export const recordProject = async (
  files: readonly ProjectFile[],
  { record: project = '', ref = defaultRef, commit, owner }: CheckFlags,
  { client }: Session,
): Promise<RecordingReport> => {
  const used = listUsedVersions(files);
  const versions = used.filter(isVersion).map(toVersion);
  if (versions.length > maxSnapshotVersions) {
    throw new UsageError(
      `--record keeps at most ${formatCount(maxSnapshotVersions)} versions, and the files list ${formatCount(versions.length)}: record parts of the project under names of their own.`,
    );
  }
  const body = { ref, versions, ...(commit && { commit }), ...(owner && { owner }) };
  const recorded = await client.recordSnapshot({ path: { project }, body });
  const { number, digest, changed, added, removed } = recorded;
  return {
    ...{ project: recorded.project, ref: recorded.ref, number, digest },
    ...{ versions: recorded.versions, changed, added, removed },
    left_out: used.length - versions.length,
  };
};
