import type { PackageDetail } from '../../api/schemas/package.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { getItem } from '../dynamodb/read.ts';
import { type CommitMarker, makeWriteId } from '../dynamodb/transact.ts';
import {
  type Condition,
  ifUnchanged,
  putItem,
  setFields,
  updateItem,
  type Write,
} from '../dynamodb/write.ts';
import {
  type PackageItem,
  packagesTable,
  type SubmissionNote,
  toPackageItem,
} from './package-item.ts';
import {
  formatSequenceNumber,
  parseSequenceNumber,
  toIndexKeys,
  toItemKey,
  toStatusIndexKeys,
} from './version-keys.ts';

/** Reads the version of exactly this ecosystem, name and version; undefined if there is none. */
export const findVersion = (id: PackageId): Promise<PackageItem | undefined> =>
  getItem(packagesTable, toItemKey(id));

/** A transaction that writes this version is known by what it leaves on it. */
export const makeCommitMarker = (id: PackageId): CommitMarker => {
  const writeId = makeWriteId();
  return { writeId, isWritten: async () => (await findVersion(id))?.write_id === writeId };
};

/** Puts a version that must not exist yet. `explain` is told the one that does. */
export const putNewVersion = (
  detail: PackageDetail,
  {
    ordinal,
    ...how
  }: { readonly ordinal: number; readonly writeId: string; readonly note: SubmissionNote },
  explain: (stored: PackageItem | undefined) => Error,
): Write =>
  putItem(
    packagesTable,
    toPackageItem(detail, { ...how, ordinal: formatSequenceNumber(ordinal) }),
    {
      ConditionExpression: 'attribute_not_exists(name_key)',
      explain,
    },
  );

/** The version was decided, or given another ordinal, after it was read. */
export class VersionChangedError extends Error {
  override readonly name = 'VersionChangedError';

  constructor({ name, version }: PackageId) {
    super(`${name} ${version} changed meanwhile`);
  }
}

/** Holds while nobody has decided on the version, or given it another ordinal, since it was read. */
export const isAsRead = (version: PackageItem): Condition =>
  ifUnchanged(version, ['name_key', 'revision', 'ordinal']);

/** Changes where a version stands, unless it changed since it was read; `explain` is told what it is then. */
export const updateStatus = (
  current: PackageItem,
  {
    detail,
    pinned,
    writeId,
  }: {
    readonly detail: PackageDetail;
    readonly pinned: string | null;
    readonly writeId: string;
  },
  explain: (stored: PackageItem | undefined) => Error,
): Write => {
  const { status, approved_by, approved_token_label, approved_at, reason } = detail;
  const { rejected_by, rejected_token_label, rejected_at, expires_at, previous } = detail;
  return updateItem(packagesTable, toItemKey(current), {
    change: setFields({
      ...toStatusIndexKeys({ ...detail, ordinal: current.ordinal }),
      status,
      approved_by,
      approved_token_label,
      approved_at,
      rejected_by,
      rejected_token_label,
      rejected_at,
      reason,
      expires_at,
      previous,
      pinned,
      revision: current.revision + 1,
      write_id: writeId,
    }),
    guard: { ...isAsRead(current), explain },
  });
};

/** Pins an approved version to facts, unless it changed since it was read: what is refused then is told by `explain`. */
export const pinVersion = (
  id: PackageId,
  { revision, pinned }: { readonly revision: number; readonly pinned: string },
  refuse: () => Error,
): Write =>
  updateItem(packagesTable, toItemKey(id), {
    change: setFields({ pinned }),
    guard: { ...ifUnchanged({ revision }, ['revision']), refuse },
  });

/** Sets the keys of a version in every index to what they must be; refuses with VersionChangedError if it changed since it was read. */
export const updateIndexKeys = (current: PackageItem): Write =>
  updateSequenceNumber(current, parseSequenceNumber(current.ordinal));

/** Gives a version another place in the order of submissions; refuses with VersionChangedError if it changed since it was read. */
export const updateSequenceNumber = (current: PackageItem, ordinal: number): Write =>
  updateItem(packagesTable, toItemKey(current), {
    change: setFields(toIndexKeys({ ...current, ordinal: formatSequenceNumber(ordinal) })),
    guard: { ...isAsRead(current), refuse: () => new VersionChangedError(current) },
  });
