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
  type VersionDetail,
} from './package-item.ts';
import {
  formatSequenceNumber,
  parseSequenceNumber,
  toIndexKeys,
  toItemKey,
  toStatusIndexKeys,
} from './version-keys.ts';

/** Returns the version of exactly this ecosystem, name and version; undefined if there is none. */
export const findVersion = (id: PackageId): Promise<PackageItem | undefined> =>
  getItem(packagesTable, toItemKey(id));

/** Returns a commit marker that compares the write id stored on the version. */
export const makeCommitMarker = (id: PackageId): CommitMarker => {
  const writeId = makeWriteId();
  return { writeId, isWritten: async () => (await findVersion(id))?.write_id === writeId };
};

/** Returns the write that puts a new version. If the version exists, `explain` receives the stored item. */
export const putNewVersion = (
  detail: VersionDetail,
  {
    sequence,
    ...how
  }: { readonly sequence: number; readonly writeId: string; readonly note: SubmissionNote },
  explain: (stored: PackageItem | undefined) => Error,
): Write =>
  putItem(
    packagesTable,
    toPackageItem(detail, { ...how, sequence: formatSequenceNumber(sequence) }),
    {
      ConditionExpression: 'attribute_not_exists(name_key)',
      explain,
    },
  );

/** Error of a version that was decided, or received another sequence number, after it was read. */
export class VersionChangedError extends Error {
  override readonly name = 'VersionChangedError';

  constructor({ name, version }: PackageId) {
    super(`${name} ${version} changed meanwhile`);
  }
}

/** Returns the condition that the version has the same revision and sequence number as when it was read. */
export const isAsRead = (version: PackageItem): Condition =>
  ifUnchanged(version, ['name_key', 'revision', 'sequence']);

/**
 * Returns the write that changes the status of a version, if the version is unchanged since it was read. Otherwise
 * `explain` receives the stored item.
 */
export const updateStatus = (
  current: PackageItem,
  {
    detail,
    pinned,
    writeId,
  }: {
    readonly detail: VersionDetail;
    readonly pinned: string | null;
    readonly writeId: string;
  },
  explain: (stored: PackageItem | undefined) => Error,
): Write => {
  const { status, approved_by, approved_token_label, approved_at, reason } = detail;
  const { rejected_by, rejected_token_label, rejected_at, expires_at, previous } = detail;
  return updateItem(packagesTable, toItemKey(current), {
    change: setFields({
      ...toStatusIndexKeys({ ...detail, sequence: current.sequence }),
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

/**
 * Returns the write that pins a version to facts, if its revision is unchanged. Otherwise `refuse` returns the error.
 */
export const pinVersion = (
  id: PackageId,
  { revision, pinned }: { readonly revision: number; readonly pinned: string },
  refuse: () => Error,
): Write =>
  updateItem(packagesTable, toItemKey(id), {
    change: setFields({ pinned }),
    guard: { ...ifUnchanged({ revision }, ['revision']), refuse },
  });

/** Returns the write that replaces the normalization of the submitted license, if nobody has decided since the version was read. */
export const changeNormalization = (
  version: PackageItem,
  normalization: PackageItem['normalization'],
): Write =>
  updateItem(packagesTable, toItemKey(version), {
    change: setFields({ normalization }),
    guard: { ...isAsRead(version), refuse: () => new VersionChangedError(version) },
  });

/** Returns the write that changes why the registry submitted a version, if nobody has decided on it since it was read. */
export const changeCause = (
  version: PackageItem,
  fields: Pick<SubmissionNote, 'automatic' | 'justification'>,
): Write =>
  updateItem(packagesTable, toItemKey(version), {
    change: setFields({ ...fields }),
    guard: {
      ...ifUnchanged(version, ['revision']),
      refuse: () => new VersionChangedError(version),
    },
  });

/**
 * Returns the write that sets the index keys of a version to their correct values. The write fails with
 * `VersionChangedError` if the version changed since it was read.
 */
export const updateIndexKeys = (current: PackageItem): Write =>
  updateSequenceNumber(current, parseSequenceNumber(current.sequence));

/**
 * Returns the write that assigns a version another sequence number. The write fails with `VersionChangedError` if the
 * version changed since it was read.
 */
export const updateSequenceNumber = (current: PackageItem, sequence: number): Write =>
  updateItem(packagesTable, toItemKey(current), {
    change: setFields(toIndexKeys({ ...current, sequence: formatSequenceNumber(sequence) })),
    guard: { ...isAsRead(current), refuse: () => new VersionChangedError(current) },
  });
