import type { Snapshot, SnapshotRequest } from '../../api/schemas/snapshot.ts';
import { checkProjectName } from '../../domain/projects/project-name.ts';
import { formatSnapshot, normalizeSnapshot } from '../../domain/projects/snapshot.ts';
import { makeWriteId, transact } from '../../storage/dynamodb/transact.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import type {
  ProjectItem,
  Recording,
  RefId,
  RefItem,
} from '../../storage/projects/project-items.ts';
import {
  addProjectRef,
  findProject,
  noteRecording,
  ProjectChangedError,
} from '../../storage/projects/projects.ts';
import {
  addRef,
  findRef,
  isBeingWritten,
  makeLease,
  repeatRecording,
  takeLease,
} from '../../storage/projects/refs.ts';
import { digest } from '../../util/checksums.ts';
import { refuseConcurrent } from './refusals.ts';
import { completeRemoval } from './remove-ref.ts';
import { showRecording } from './show-recording.ts';
import { completeInterrupted, findLeaseEnd, writeSnapshot } from './write-snapshot.ts';

type Context = Pick<WriteContext<never>, 'actor' | 'now' | 'deadline'>;

/** A request with the end of its leases, in epoch milliseconds. */
type LeaseContext = Context & { readonly leaseEnd: number };

/** Attempts of a recording: each completes an interrupted write, or meets another request. */
const attempts = 4;

/** Returns the snapshot of a request: its versions, and the facts of its recording except for the number. */
const readSnapshot = ({ commit, versions: listed }: SnapshotRequest, { actor, now }: Context) => {
  const versions = normalizeSnapshot(listed);
  const facts = {
    digest: `sha256:${digest('sha256', formatSnapshot(versions))}`,
    commit: commit ?? null,
    recorded_at: now.toISOString(),
    label: actor.label,
    versions: versions.length,
    direct: versions.filter(({ direct }) => direct).length,
  };
  return { versions, facts };
};

const showSnapshot = (
  { project, ref }: RefId,
  recording: Recording,
  change: Pick<Snapshot, 'added' | 'removed' | 'changed'>,
): Snapshot => ({ project, ref, ...showRecording(recording), ...change });

/** A recording of a request, and what is stored of its project and ref. */
interface Attempt {
  readonly id: RefId;
  readonly snapshot: ReturnType<typeof readSnapshot>;
  readonly owner: string | undefined;
  readonly project: ProjectItem | undefined;
  readonly stored: RefItem | undefined;
}

/** Completes what an interrupted request left of a ref. */
const settle = async (
  id: RefId,
  stored: RefItem,
  { deadline, leaseEnd }: LeaseContext,
): Promise<void> => {
  const lease = makeLease(stored.lease?.recording ?? null, leaseEnd);
  await takeLease(id, stored, lease);
  const leased = { id, stored, lease, deadline };
  if (lease.recording) await completeInterrupted(leased, lease.recording);
  else await completeRemoval(leased);
};

const writeChange = async (
  { id, snapshot, owner, project, stored }: Attempt,
  { deadline, leaseEnd }: LeaseContext,
): Promise<Snapshot> => {
  const { versions, facts } = snapshot;
  const { recorded_at } = facts;
  const recording = {
    ...{ ...facts, content: makeWriteId() },
    number: (stored?.current?.number ?? 0) + 1,
  };
  const lease = makeLease(recording, leaseEnd);
  if (stored) await takeLease(id, stored, lease);
  else {
    const writes = addProjectRef(id.project, project, { owner, recorded_at });
    await transact([addRef(id, lease), ...writes], deadline);
  }
  const leased = { id, stored: stored ?? { current: null }, lease, deadline };
  const { added, removed } = await writeSnapshot(leased, recording, versions);
  if (stored) await noteRecording(id.project, { owner, recorded_at });
  return showSnapshot(id, recording, { added, removed, changed: true });
};

/** Records a snapshot once. Returns undefined after it completed what an interrupted request left. */
const attemptRecording = async (
  attempt: Attempt,
  context: LeaseContext,
): Promise<Snapshot | undefined> => {
  const { id, snapshot, owner, stored } = attempt;
  if (stored && isBeingWritten(stored, context.now)) throw refuseConcurrent(id);
  if (stored?.lease) {
    await settle(id, stored, context);
    return undefined;
  }
  const { facts } = snapshot;
  if (stored?.current?.digest !== facts.digest) return writeChange(attempt, context);
  const { content, number } = stored.current;
  const recording = { ...facts, content, number };
  await repeatRecording(id, recording);
  await noteRecording(id.project, { owner, recorded_at: facts.recorded_at });
  return showSnapshot(id, recording, { added: 0, removed: 0, changed: false });
};

/**
 * Records what a ref of a project uses. An unchanged snapshot takes two write units. A change writes the rows that differ, in
 * several steps: if they are interrupted, the next recording of the ref completes or undoes them.
 * @throws {RegistryError} `recording_in_progress` if another request writes the ref, `too_many_projects` at a limit
 */
export const recordSnapshot = async (
  project: string,
  request: SnapshotRequest,
  context: Context,
): Promise<Snapshot> => {
  checkProjectName(project);
  const leaseContext = { ...context, leaseEnd: findLeaseEnd(context) };
  const id = { project, ref: request.ref };
  const snapshot = readSnapshot(request, context);
  const owner = request.owner ?? undefined;
  for (let left = attempts; left > 0; left -= 1) {
    const [found, stored] = await Promise.all([findProject(project), findRef(id)]);
    try {
      const attempt = { id, snapshot, owner, project: found, stored };
      const done = await attemptRecording(attempt, leaseContext);
      if (done) return done;
    } catch (error) {
      if (!(error instanceof ProjectChangedError)) throw error;
    }
  }
  throw refuseConcurrent(id);
};
