import type { SnapshotVersion } from '../../domain/projects/snapshot.ts';
import { writeBatches } from '../../storage/dynamodb/write-batches.ts';
import type { WriteContext } from '../../storage/dynamodb/write-context.ts';
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

/**
 * Returns the end of the leases of a request, in epoch milliseconds: after its deadline. Call it once, at the start of the request:
 * the remaining time shrinks, and `now` stays.
 */
export const findLeaseEnd = ({ now, deadline }: Pick<WriteContext<never>, 'now' | 'deadline'>) =>
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

/** Returns the contents that no snapshot needs. */
const listOthers = (contents: Contents, kept: string): readonly StoredContent[] =>
  [...contents].flatMap(([content, stored]) => (content === kept ? [] : [stored]));

/**
 * Writes the rows that differ from the current snapshot, makes the recording of the lease current, deletes other contents, and
 * ends the lease. Its own content is stored before. Another request can complete the work by a repetition.
 */
const applyRecording = async (
  { id, stored, lease, deadline }: LeasedRef,
  contents: Contents,
  {
    recording,
    after,
  }: { readonly recording: Recording; readonly after: readonly SnapshotVersion[] },
): Promise<RowChange> => {
  const before = findVersions(contents, stored.current);
  const change = changeRows(id, { before, after });
  await writeBatches([...change.writes, ...addShortNames(before, after)], deadline);
  const others = listOthers(contents, recording.content);
  await completeRecording(id, lease, { endsLease: others.length === 0 });
  if (others.length > 0) {
    await writeBatches(deleteContents(others), deadline);
    await endLease(id, lease);
  }
  return change;
};

/** Writes a snapshot under a lease. Returns the numbers of versions that it adds and removes. */
export const writeSnapshot = (
  leased: LeasedRef,
  recording: Recording,
  versions: readonly SnapshotVersion[],
): Promise<RowChange> =>
  underLease(leased, async () => {
    const { id, stored, deadline } = leased;
    // A new ref has no content.
    const contents = stored.current ? await readContents(id) : new Map();
    await writeBatches(putContent(id, recording.content, versions), deadline);
    return applyRecording(leased, contents, { recording, after: versions });
  });

/**
 * Completes a recording that was interrupted. If its content is not complete, no row was written, and the recording is undone.
 */
export const completeInterrupted = (leased: LeasedRef, recording: Recording): Promise<void> =>
  underLease(leased, async () => {
    const { id, stored, lease, deadline } = leased;
    const contents = await readContents(id);
    const after = contents.get(recording.content)?.versions;
    if (after) {
      await applyRecording(leased, contents, { recording, after });
      return;
    }
    const others = listOthers(contents, stored.current?.content ?? '');
    await writeBatches(deleteContents(others), deadline);
    await endLease(id, lease);
  });
