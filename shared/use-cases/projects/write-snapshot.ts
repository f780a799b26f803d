import type { SnapshotVersion } from '../../domain/projects/snapshot.ts';
import { writeBatches } from '../../storage/dynamodb/write-batches.ts';
import type { Recording, RefId, RefItem, RefLease } from '../../storage/projects/project-items.ts';
import { completeRecording, endLease, releaseLease } from '../../storage/projects/refs.ts';
import { addShortNames } from '../../storage/projects/short-names.ts';
import {
  deleteContents,
  putContent,
  readContents,
  type StoredContent,
} from '../../storage/projects/snapshot-content.ts';
import { changeRows, type RowChange } from '../../storage/projects/use-rows.ts';
import type { Deadline } from '../../util/deadline.ts';

type Contents = ReadonlyMap<string, StoredContent>;

/** Time after the end of a request in which its function is certainly not running any more, in milliseconds. */
const marginMs = 5000;

/** Returns the end of a lease for a request with a deadline, in epoch milliseconds. */
export const findLeaseEnd = (now: Date, deadline: Deadline): number =>
  now.getTime() + Math.max(0, deadline.remainingMs()) + marginMs;

/** A ref under a lease of this request. */
export interface LeasedRef {
  readonly id: RefId;
  /** The ref before the lease. */
  readonly stored: Pick<RefItem, 'current'>;
  readonly lease: RefLease;
  readonly deadline: Deadline;
}

/** Runs the work under a lease. After a failure, the next request can complete it at once. */
export const underLease = async <T>(
  { id, lease }: Pick<LeasedRef, 'id' | 'lease'>,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    // Without this, the next request waits for the end of the lease.
    await releaseLease(id, lease).catch(() => undefined);
    throw error;
  }
};

const findVersions = (
  contents: Contents,
  recording: Recording | null,
): readonly SnapshotVersion[] => (recording && contents.get(recording.content)?.versions) ?? [];

/** Deletes contents that no snapshot needs. */
const deleteOthers = async (
  contents: Contents,
  kept: string,
  deadline: Deadline,
): Promise<void> => {
  const others = [...contents].flatMap(([content, stored]) => (content === kept ? [] : [stored]));
  await writeBatches(deleteContents(others), deadline);
};

/**
 * Writes the rows that differ from the current snapshot, and makes the recording of the lease current. Its content is stored
 * before, so that another request can complete the work: a repetition writes nothing else.
 */
const applyRecording = async (
  { id, stored, lease, deadline }: LeasedRef,
  contents: Contents,
  after: readonly SnapshotVersion[],
): Promise<RowChange> => {
  const before = findVersions(contents, stored.current);
  const change = changeRows(id, { before, after });
  await writeBatches([...change.writes, ...addShortNames(before, after)], deadline);
  await completeRecording(id, lease);
  return change;
};

/** Writes a snapshot under a lease. Returns the numbers of versions that it adds and removes. */
export const writeSnapshot = (
  leased: LeasedRef & { readonly lease: { readonly recording: Recording } },
  versions: readonly SnapshotVersion[],
): Promise<RowChange> =>
  underLease(leased, async () => {
    const { id, stored, lease, deadline } = leased;
    const { content } = lease.recording;
    // A new ref has no content.
    const contents = stored.current ? await readContents(id) : new Map();
    await writeBatches(putContent(id, content, versions), deadline);
    const change = await applyRecording(leased, contents, versions);
    await deleteOthers(contents, content, deadline);
    return change;
  });

/**
 * Completes a recording that was interrupted. If its content is not complete, no row was written, and the recording is undone.
 */
export const completeInterrupted = (leased: LeasedRef): Promise<void> =>
  underLease(leased, async () => {
    const { id, stored, lease, deadline } = leased;
    const contents = await readContents(id);
    const after = lease.recording && contents.get(lease.recording.content)?.versions;
    if (lease.recording && after) {
      await applyRecording(leased, contents, after);
      await deleteOthers(contents, lease.recording.content, deadline);
      return;
    }
    await deleteOthers(contents, stored.current?.content ?? '', deadline);
    await endLease(id, lease);
  });
