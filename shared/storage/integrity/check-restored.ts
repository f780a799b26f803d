import type { PackageId } from '../../domain/packages/package-id.ts';
import { decisionTypes, type RecordType } from '../../domain/review/record-type.ts';
import { statuses } from '../../domain/review/status.ts';
import { anonymous } from '../../domain/tokens/actor.ts';
import { registryActor } from '../../domain/tokens/registry-actor.ts';
import { ecosystems } from '../../ecosystems/ecosystem.ts';
import {
  addRecord,
  listRecords,
  type RecordFacts,
  type RecordItem,
  unknown,
} from '../decisions/records.ts';
import { readEventually } from '../dynamodb/eventual-reads.ts';
import { batchGet, getItem } from '../dynamodb/read.ts';
import { checkItem, ifUnchanged, setFields, updateItem, type Write } from '../dynamodb/write.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { toItemKey } from '../packages/version-keys.ts';
import { isAsRead } from '../packages/write-version.ts';
import { type ReviewState, reviewStatesTable, toReviewStateKey } from '../reviews/review-state.ts';
import {
  type Check,
  type CheckContext,
  type Checks,
  describeVersion,
  makeProblem,
  readWithVersion,
  transactIfUnchanged,
} from './check.ts';

/** Check that the last change of status in the records of a version is the status that the version has. A restore undoes it. */

/** Types of the records that change a status. */
const statusTypes: readonly RecordType[] = ['package.submitted', ...decisionTypes];

type VersionRecord = RecordItem & PackageId;

const changesStatus = (record: RecordItem): record is VersionRecord =>
  statusTypes.includes(record.type) &&
  ecosystems.some((ecosystem) => ecosystem === record.ecosystem) &&
  typeof record.name === 'string' &&
  typeof record.version === 'string';

const toKeyText = (id: PackageId): string => JSON.stringify(toItemKey(id));

/** Returns the last change of status of each version, from records in order of time. */
const findLastChanges = (records: readonly RecordItem[]): VersionRecord[] => {
  const changes = records.filter(changesStatus);
  return [...new Map(changes.map((record) => [toKeyText(record), record])).values()];
};

/** A status, with the expiry of an approval. */
type State = Pick<RecordFacts, 'to' | 'expires_at'>;

const toState = (version: PackageItem | undefined): State => ({
  to: version?.status ?? unknown,
  expires_at: version?.expires_at ?? null,
});

/** Returns true if a version has the status and the expiry of a record. Approvals of earlier releases may have no expiry. */
const agrees = ({ to, expires_at }: State, version: PackageItem | undefined): boolean => {
  const stored = toState(version);
  if (to !== stored.to) return false;
  return to !== 'approved' || expires_at === undefined || expires_at === stored.expires_at;
};

const recordsACall = 50;

/** Returns the last record, and the last change of status, of a version. Comments may follow them. */
export const findLast = async (id: PackageId) => {
  let before: string | undefined;
  let last: RecordItem | undefined;
  for (;;) {
    const page = await listRecords(id, { before, count: recordsACall });
    last ??= page[0];
    const change = page.find(changesStatus);
    if (change || page.length < recordsACall) return { last, change };
    before = page.at(-1)?.moment;
  }
};

/** What the check of one version has read. */
interface Restored {
  readonly id: PackageId;
  readonly version: PackageItem | undefined;
  readonly state: ReviewState | undefined;
  readonly change: VersionRecord;
  readonly last: RecordItem;
}

const describeState = ({ to, expires_at }: State): string =>
  to === 'approved' && expires_at ? `approved until ${expires_at}` : to;

/** Returns `approved until 2027-01-31T00:00:00.000Z, and is pending`. */
const describe = ({ version, change }: Restored): string =>
  `${describeState(change)}, and is ${describeState(toState(version))}`;

/** Returns a time after each record of the version. */
const findMoment = ({ state, last }: Restored): string => {
  const now = new Date();
  const times = [last.at, ...(state ? [state.at] : [])].map((at) => Date.parse(at) + 1);
  return new Date(Math.max(now.getTime(), ...times)).toISOString();
};

/** Adds the record with the status that a restore brought back, unless the version changed. Its event follows by the stream. */
const recordRestored = (restored: Restored, { deadline }: CheckContext): Promise<void> => {
  const { id, version, state, change } = restored;
  const at = findMoment(restored);
  const isUnchanged = version ? isAsRead(version) : ifUnchanged(undefined, ['name_key']);
  const writes: Write[] = [
    checkItem(packagesTable, toItemKey(id), isUnchanged),
    addRecord(
      id,
      {
        ...{ type: 'package.restored', by: registryActor },
        ...{ from: change.to, ...toState(version) },
        reason: `A restore undid later changes: the version was ${describe(restored)}.`,
      },
      { actor: anonymous, at },
    ),
    // The next decision is later than this record, even if the clocks of two functions differ.
    ...(version && state
      ? [
          updateItem(reviewStatesTable, toReviewStateKey(id), {
            change: setFields({ at }),
            guard: ifUnchanged(state, ['v', 'at']),
          }),
        ]
      : []),
  ];
  return transactIfUnchanged(writes, deadline);
};

const checkStatus = (id: PackageId, context: CheckContext): Check => ({
  subject: `last record of ${describeVersion(id)}`,
  examine: async () => {
    const { version, stored } = await readWithVersion(id, async () => ({
      ...(await findLast(id)),
      state: await getItem(reviewStatesTable, toReviewStateKey(id)),
    }));
    const { last, change, state } = stored;
    if (!last || !change || agrees(change, version)) return [];
    // An event must not have a status that no reader knows.
    if (version && !statuses.includes(version.status)) throw new Error('The status is unknown');
    const restored = { id: version ?? change, version, state, change, last };
    const example = `${describeVersion(id)} was ${describe(restored)}`;
    return [
      makeProblem({ kind: 'unrecorded_restore', example }, () => recordRestored(restored, context)),
    ];
  },
});

/**
 * Checks that each version has the status of its last record. A repair adds a record, and so an event: after a restore of the
 * versions, integrations learn which later changes no longer count.
 */
export async function* checkRestored(
  records: readonly RecordItem[],
  context: CheckContext,
): Checks {
  const changes = findLastChanges(records);
  const versions = await readEventually(() => batchGet(packagesTable, changes.map(toItemKey)));
  const byKey = new Map(versions.map((version) => [toKeyText(version), version]));
  for (const change of changes) {
    if (!agrees(change, byKey.get(toKeyText(change)))) yield checkStatus(change, context);
  }
}
