import type { RemovedRef } from '../../api/schemas/project.ts';
import { transact } from '../../storage/dynamodb/transact.ts';
import type { Write } from '../../storage/dynamodb/write.ts';
import { writeBatches } from '../../storage/dynamodb/write-batches.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
import type { RefId } from '../../storage/projects/project-items.ts';
import {
  findProject,
  ProjectChangedError,
  removeProjectRef,
} from '../../storage/projects/projects.ts';
import {
  deleteRef,
  findRef,
  isBeingWritten,
  makeLease,
  takeLease,
} from '../../storage/projects/refs.ts';
import { deleteContents, readContents } from '../../storage/projects/snapshot-content.ts';
import { changeRows } from '../../storage/projects/use-rows.ts';
import { refuseConcurrent, refuseUnknownProject } from './refusals.ts';
import { findLeaseEnd, type LeasedRef, underLease } from './write-snapshot.ts';

/** Attempts to take a ref from its project: other refs of the project may change at the same time. */
const attempts = 5;

/** Deletes the rows of all contents of a ref, and then the contents: an interrupted removal can begin again. */
const deleteRows = async ({ id, deadline }: LeasedRef): Promise<void> => {
  const contents = await readContents(id);
  for (const { versions = [] } of contents.values()) {
    const { writes } = changeRows(id, { before: versions, after: [] });
    await writeBatches(writes, deadline);
  }
  await writeBatches(deleteContents(contents.values()), deadline);
};

/** Removes a ref that this request has the lease of, and its project with the last ref. */
export const completeRemoval = (
  leased: LeasedRef,
  remember: (answer: RemovedRef) => readonly Write[] = () => [],
): Promise<RemovedRef> =>
  underLease(leased, async () => {
    const { id, lease, deadline } = leased;
    await deleteRows(leased);
    for (let left = attempts; left > 0; left -= 1) {
      const project = await findProject(id.project);
      if (!project) throw refuseUnknownProject(id);
      const answer = { ...id, project_removed: project.refs <= 1 };
      try {
        const writes = [deleteRef(id, lease), ...removeProjectRef(id.project, project)];
        await transact([...remember(answer), ...writes], deadline);
        return answer;
      } catch (error) {
        if (!(error instanceof ProjectChangedError)) throw error;
      }
    }
    throw refuseConcurrent(id);
  });

/**
 * Removes a ref of a project, such as a merged branch, with what it uses. The project goes with its last ref.
 * @throws {RegistryError} `project_not_found` for an unknown project or ref, `recording_in_progress` if another request writes it
 */
export const removeRef = async (
  id: RefId,
  { now, deadline, remember }: WriteContext<RemovedRef>,
): Promise<RemovedRef> => {
  const leaseEnd = findLeaseEnd({ now, deadline });
  const stored = await findRef(id);
  if (!stored) throw refuseUnknownProject(id);
  if (isBeingWritten(stored, now)) throw refuseConcurrent(id);
  const lease = makeLease(null, leaseEnd);
  try {
    await takeLease(id, stored, lease);
  } catch (error) {
    throw error instanceof ProjectChangedError ? refuseConcurrent(id) : error;
  }
  return completeRemoval({ id, stored, lease, deadline }, remember);
};
