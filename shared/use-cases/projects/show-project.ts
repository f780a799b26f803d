import type { ProjectDetail } from '../../api/schemas/project.ts';
import type { ProjectQuery } from '../../api/schemas/projects-query.ts';
import type { ProjectRef } from '../../api/schemas/snapshot.ts';
import { isOwnPackage, type OwnPackages } from '../../domain/packages/own-packages.ts';
import { toVersionKey } from '../../domain/packages/package-id.ts';
import { isProjectName } from '../../domain/projects/project-name.ts';
import type { SnapshotVersion } from '../../domain/projects/snapshot.ts';
import type { AttentionReason } from '../../domain/review/attention.ts';
import { statusAt } from '../../domain/review/expiry.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { Recording, RefItem } from '../../storage/projects/project-items.ts';
import { findProject } from '../../storage/projects/projects.ts';
import { listRefs } from '../../storage/projects/refs.ts';
import { findContent } from '../../storage/projects/snapshot-content.ts';
import { makeAttentionRow } from '../../storage/reviews/attention.ts';
import { findReviewStates, type ReviewState } from '../../storage/reviews/review-state.ts';
import { refuseUnknownProject } from './refusals.ts';
import { showRecording } from './show-recording.ts';

/** Settings and time that decide the status of a version. */
interface Viewpoint {
  readonly now: Date;
  readonly policy: ScanPolicy;
  readonly own: readonly OwnPackages[];
}

interface RecordedRef {
  readonly ref: string;
  readonly current: Recording;
}

const toRecorded = ({ k: ref, current }: RefItem): RecordedRef[] =>
  current ? [{ ref, current }] : [];

const showRef = ({ ref, current }: RecordedRef): ProjectRef => ({
  ref,
  ...showRecording(current),
});

/** Returns the ref that a request means: the named one, or else `main`, or else the one that was recorded last. */
const chooseRef = (
  refs: readonly RecordedRef[],
  wanted: string | undefined,
): RecordedRef | undefined => {
  if (wanted !== undefined) return refs.find(({ ref }) => ref === wanted);
  const newest = refs.toSorted((one, other) =>
    one.current.recorded_at < other.current.recorded_at ? 1 : -1,
  );
  return refs.find(({ ref }) => ref === 'main') ?? newest[0];
};

/** Returns why a version needs attention now. */
const findAttention = (
  version: SnapshotVersion,
  state: ReviewState,
  viewpoint: Viewpoint,
): AttentionReason[] => {
  if (statusAt(state, viewpoint.now) === 'pending') return [];
  const row = makeAttentionRow(version, state, viewpoint);
  return row && row.since <= viewpoint.now.toISOString() ? [...row.reasons] : [];
};

const showVersion = (
  { files, ...version }: SnapshotVersion,
  state: ReviewState | undefined,
  viewpoint: Viewpoint,
): ProjectDetail['versions'][number] => ({
  ...version,
  files: [...files],
  status: state ? statusAt(state, viewpoint.now) : 'unknown',
  attention: state ? findAttention({ files, ...version }, state, viewpoint) : [],
  own_package: isOwnPackage(viewpoint.own, version),
});

/** Reads the refs of a project and the versions of one of them. A recording may replace the content in between. */
const readVersions = async (project: string, wanted: string | undefined) => {
  for (let left = 2; left > 0; left -= 1) {
    const refs = (await listRefs(project)).flatMap(toRecorded);
    const chosen = chooseRef(refs, wanted);
    if (!chosen) throw refuseUnknownProject({ project, ref: wanted });
    const versions = await findContent({ project, ref: chosen.ref }, chosen.current.content);
    if (versions) return { refs, chosen, versions };
  }
  throw new Error(`The content of the snapshot of ${project} is missing`);
};

/**
 * Returns a project, its refs, and one page of the versions that a ref uses, each with its status now.
 * @throws {RegistryError} `project_not_found` for an unknown project or ref
 */
export const showProject = async (
  project: string,
  { ref: wanted, after, limit }: ProjectQuery,
  viewpoint: Viewpoint,
): Promise<ProjectDetail> => {
  if (!isProjectName(project)) throw refuseUnknownProject({ project });
  const [found, read] = await Promise.all([findProject(project), readVersions(project, wanted)]);
  if (!found) throw refuseUnknownProject({ project });
  const { refs, chosen, versions } = read;
  const from = after === undefined ? 0 : versions.findIndex((one) => toVersionKey(one) > after);
  const rest = from < 0 ? [] : versions.slice(from);
  const shown = rest.slice(0, limit);
  const states = await findReviewStates(shown, { eventual: true });
  const last = shown.at(-1);
  return {
    project,
    owner: found.owner,
    recorded_at: found.recorded_at,
    refs: refs.map(showRef),
    ref: chosen.ref,
    versions: shown.map((one) => showVersion(one, states.get(toVersionKey(one)), viewpoint)),
    next: rest.length > shown.length && last ? toVersionKey(last) : null,
  };
};
