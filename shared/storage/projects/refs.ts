import { getItem, queryItems, type ReadOptions } from '../dynamodb/read.ts';
import { makeWriteId } from '../dynamodb/transact.ts';
import {
  checkItem,
  deleteItem,
  type Guard,
  ifUnchanged,
  putItem,
  setFields,
  updateItem,
  type Write,
} from '../dynamodb/write.ts';
import { updateAlone } from '../dynamodb/write-alone.ts';
import {
  type Recording,
  type RefId,
  type RefItem,
  type RefLease,
  refsTable,
  toRefKey,
  toRefPartition,
} from './project-items.ts';
import { ProjectChangedError } from './projects.ts';

const refuseChanged = () => new ProjectChangedError('Another request changed the ref');

/** Returns a ref of a project; undefined if there is none. */
export const findRef = (id: RefId): Promise<RefItem | undefined> =>
  getItem(refsTable, toRefKey(id));

/** Returns all refs of a project by name, by default with an eventually consistent read. */
export const listRefs = (
  project: string,
  { eventual = true }: ReadOptions = {},
): Promise<RefItem[]> =>
  queryItems(refsTable, {
    KeyConditionExpression: 'p = :project',
    ExpressionAttributeValues: { ':project': toRefPartition(project) },
    ConsistentRead: !eventual,
  });

/** True while another request may write the ref. */
export const isBeingWritten = ({ lease }: RefItem, now: Date): boolean =>
  lease !== undefined && lease.until > now.getTime();

/** Returns the guard that a ref has the lease that was read, or none as before. */
const ifLeaseUnchanged = ({ lease }: Pick<RefItem, 'lease'>): Guard<RefItem> => ({
  ...(lease
    ? {
        ConditionExpression: '#lease.#id = :lease AND #lease.#until = :until',
        ExpressionAttributeNames: { '#lease': 'lease', '#id': 'id', '#until': 'until' },
        ExpressionAttributeValues: { ':lease': lease.id, ':until': lease.until },
      }
    : {
        ConditionExpression: 'attribute_exists(#k) AND attribute_not_exists(#lease)',
        ExpressionAttributeNames: { '#lease': 'lease', '#k': 'k' },
      }),
  refuse: refuseChanged,
});

/** Returns the write that fails unless a ref has the snapshot and the lease that were read, or does not exist as before. */
export const checkRefUnchanged = (id: RefId, seen: RefItem | undefined): Write => {
  if (!seen) return checkItem(refsTable, toRefKey(id), ifUnchanged(undefined, ['k']));
  const { refuse: _, ...lease } = ifLeaseUnchanged(seen);
  const content = seen.current?.content ?? null;
  return checkItem(refsTable, toRefKey(id), {
    ConditionExpression: `${lease.ConditionExpression} AND ${
      content === null ? '#current = :content' : '#current.#content = :content'
    }`,
    ExpressionAttributeNames: {
      ...lease.ExpressionAttributeNames,
      ...{ '#current': 'current', ...(content !== null && { '#content': 'content' }) },
    },
    ExpressionAttributeValues: { ...lease.ExpressionAttributeValues, ':content': content },
  });
};

const ifLeased = ({ id }: RefLease): Guard<RefItem> => ({
  ConditionExpression: '#lease.#id = :lease',
  ExpressionAttributeNames: { '#lease': 'lease', '#id': 'id' },
  ExpressionAttributeValues: { ':lease': id },
  refuse: refuseChanged,
});

/** Returns a new lease until a time. */
export const makeLease = (recording: Recording | null, until: number): RefLease => ({
  ...{ id: makeWriteId(), until, recording },
});

/** Returns the write that adds a new ref under a lease. */
export const addRef = (id: RefId, lease: RefLease): Write =>
  putItem(
    refsTable,
    { ...toRefKey(id), current: null, lease },
    {
      ConditionExpression: 'attribute_not_exists(#k)',
      ExpressionAttributeNames: { '#k': 'k' },
      refuse: refuseChanged,
    },
  );

/** Runs an update whose lost answer may hide that it was applied, as `isApplied` shows. */
const updateOnce = async (
  id: RefId,
  write: Write,
  isApplied: (stored: RefItem | undefined) => boolean,
): Promise<void> => {
  try {
    await updateAlone(write);
  } catch (error) {
    if (!(error instanceof ProjectChangedError) || !isApplied(await findRef(id))) throw error;
  }
};

/**
 * Takes a lease on a ref, in place of the ended lease that was read, if there was one.
 * @throws {ProjectChangedError} if another request was faster
 */
export const takeLease = (id: RefId, seen: RefItem, lease: RefLease): Promise<void> =>
  updateOnce(
    id,
    updateItem(refsTable, toRefKey(id), {
      change: setFields({ lease }),
      guard: ifLeaseUnchanged(seen),
    }),
    (stored) => stored?.lease?.id === lease.id,
  );

/**
 * Makes the recording of a lease current, and ends the lease if nothing is left to do.
 * @throws {ProjectChangedError} if another request has taken the lease
 */
export const completeRecording = (
  id: RefId,
  lease: RefLease,
  { endsLease }: { readonly endsLease: boolean },
): Promise<void> =>
  updateOnce(
    id,
    updateItem(refsTable, toRefKey(id), {
      change: setFields({
        current: lease.recording,
        ...(endsLease && { lease: undefined }),
      }),
      guard: ifLeased(lease),
    }),
    (stored) => stored?.current?.content === lease.recording?.content,
  );

/**
 * Ends a lease without another change of the ref.
 * @throws {ProjectChangedError} if another request has taken the lease
 */
export const endLease = (id: RefId, lease: RefLease): Promise<void> =>
  updateOnce(
    id,
    updateItem(refsTable, toRefKey(id), {
      change: setFields({ lease: undefined }),
      guard: ifLeased(lease),
    }),
    (stored) => stored?.lease === undefined,
  );

/** Lets the next request complete the write at once. */
export const releaseLease = (id: RefId, lease: RefLease): Promise<void> =>
  updateAlone(
    updateItem(refsTable, toRefKey(id), {
      change: setFields({ lease: { ...lease, until: 0 } }),
      guard: ifLeased(lease),
    }),
  );

/**
 * Notes that a recording had an unchanged snapshot.
 * @throws {ProjectChangedError} if another request changed the ref
 */
export const repeatRecording = (id: RefId, recording: Recording): Promise<void> =>
  updateAlone(
    updateItem(refsTable, toRefKey(id), {
      change: setFields({ current: recording }),
      guard: {
        ConditionExpression: '#current.#content = :content AND attribute_not_exists(#lease)',
        ExpressionAttributeNames: {
          '#current': 'current',
          '#content': 'content',
          '#lease': 'lease',
        },
        ExpressionAttributeValues: { ':content': recording.content },
        refuse: refuseChanged,
      },
    }),
  );

/** Returns the write that deletes a ref under a lease. */
export const deleteRef = (id: RefId, lease: RefLease): Write =>
  deleteItem(refsTable, toRefKey(id), ifLeased(lease));
