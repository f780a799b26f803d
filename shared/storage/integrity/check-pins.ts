import { formatPackage } from '../../domain/packages/format-package.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import { unpinnedReason } from '../../domain/review/attention.ts';
import { anonymous } from '../../domain/tokens/actor.ts';
import { findRecordedPin } from '../decisions/recorded-pin.ts';
import { addRecord, listRecords, type RecordItem } from '../decisions/records.ts';
import { getItem } from '../dynamodb/read.ts';
import { checkItem, ifUnchanged, setFields, updateItem, type Write } from '../dynamodb/write.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { toItemKey } from '../packages/version-keys.ts';
import { isAsRead, pinVersion } from '../packages/write-version.ts';
import { markVersion } from '../packs/pack-items.ts';
import { moveAttention } from '../reviews/attention.ts';
import { findRecord } from '../reviews/facts-items.ts';
import {
  isWhole,
  type ReviewState,
  reviewStatesTable,
  toReviewStateKey,
} from '../reviews/review-state.ts';
import {
  type Check,
  type CheckContext,
  type Checks,
  ConflictError,
  describeVersion,
  makeProblem,
  type Problem,
  readTwice,
  readWithVersion,
  transactIfUnchanged,
} from './check.ts';
import { findLast } from './check-restored.ts';
import { expectAttention } from './rebuild-review-state.ts';
import type { EvidenceReader } from './state-evidence.ts';

/**
 * Check that approvals have pinned files, which are what the gate serves. A repair pins the files of the decision only. All others
 * need a person.
 */

/**
 * True if upstream metadata of an approved version is stored, and its approval has no pin. Without metadata there is nothing to
 * pin yet: the first metadata is pinned when it arrives.
 */
const lacksPin = (
  { status, pinned }: PackageItem,
  state: ReviewState | undefined,
): state is ReviewState => status === 'approved' && !pinned && state?.facts?.found === 'yes';

/** True if a review state is of the version's latest decision. Otherwise its own check reports it. */
const isOfVersion = (state: ReviewState, { status, revision }: PackageItem): boolean =>
  isWhole(state) && state.status === status && state.revision === revision;

/**
 * Returns the record of the approval in force. Returns undefined if its last change of status is another one, as after a restore
 * that undid a rejection: nobody has approved the version since then.
 */
const findApproval = async (version: PackageItem): Promise<RecordItem | undefined> => {
  const { approved_at } = version;
  const { change } = await findLast(version);
  if (!approved_at || change?.to !== 'approved') return undefined;
  if (change.type === 'package.approved') return change.at === approved_at ? change : undefined;
  if (change.type !== 'package.released') return undefined;
  // A release from a recall keeps the approval. Each record has its own time, and the id after it sorts before `~`.
  const [record] = await listRecords(version, { before: `${approved_at} ~`, count: 1 });
  return record?.type === 'package.approved' && record.at === approved_at ? record : undefined;
};

/** Returns the digest of the metadata that the approval in force was based on; undefined if its record shows none. */
const findApprovedDigest = async (version: PackageItem): Promise<string | undefined> => {
  const approval = await findApproval(version);
  const digest = approval && findRecordedPin(approval);
  const stored = digest === undefined ? null : await findRecord(version, digest);
  return stored?.facts.found === 'yes' ? digest : undefined;
};

interface Unpinned {
  readonly version: PackageItem;
  readonly state: ReviewState;
}

/** Returns the update of a review state, unless evidence or a decision came since the read. A decision meanwhile is tried again. */
const updateState = ({ version, state }: Unpinned, fields: Partial<ReviewState>): Write =>
  updateItem(reviewStatesTable, toReviewStateKey(version), {
    change: setFields({ ...fields, evidence_revision: state.evidence_revision + 1 }),
    guard: ifUnchanged(state, ['v', 'evidence_revision', 'revision', 'at', 'attention']),
  });

/** Pins an approval to the metadata that it was based on, as the approval itself does now. */
const pinApproval = (
  { version, state }: Unpinned,
  pinned: string,
  { deadline }: CheckContext,
): Promise<void> => {
  const { revision } = version;
  return transactIfUnchanged(
    [
      pinVersion(version, { revision, pinned }, () => new ConflictError()),
      updateState({ version, state }, { pinned }),
      ...markVersion(version, { revision, pinned }),
    ],
    deadline,
  );
};

/** Lists an approval without pin among the versions that need attention, with a record, until a reviewer confirms it. */
const requestConfirmation = (
  { version, state }: Unpinned,
  context: CheckContext,
): Promise<void> => {
  const { facts } = state;
  if (!facts) return Promise.resolve();
  const now = new Date();
  const at = new Date(Math.max(now.getTime(), Date.parse(state.at) + 1)).toISOString();
  const changed = { ...state, facts: { ...facts, content_changed: true } } as const;
  const row = expectAttention(version, changed, { ...context, now });
  return transactIfUnchanged(
    [
      checkItem(packagesTable, toItemKey(version), isAsRead(version)),
      updateState({ version, state }, { facts: changed.facts, at, attention: row?.k ?? null }),
      ...moveAttention(state.attention, row),
      addRecord(
        version,
        {
          ...{ type: 'package.attention', by: null },
          ...{ from: 'approved', to: 'approved', reason: unpinnedReason },
        },
        { actor: anonymous, at },
      ),
    ],
    context.deadline,
  );
};

const judge = async (unpinned: Unpinned, context: CheckContext): Promise<Problem[]> => {
  const { version, state } = unpinned;
  const example = describeVersion(version);
  const digest = await findApprovedDigest(version);
  if (digest !== undefined) {
    return [
      makeProblem({ kind: 'unpinned_approval', example }, () =>
        pinApproval(unpinned, digest, context),
      ),
    ];
  }
  // It needs attention already.
  if (state.facts?.content_changed) return [];
  const advice = `review its files, then: registry approve ${formatPackage(version)} --keep`;
  return [
    makeProblem({ kind: 'unconfirmed_files', example: `${example}: ${advice}` }, () =>
      requestConfirmation(unpinned, context),
    ),
  ];
};

const checkPin = (id: PackageId, context: CheckContext): Check => ({
  subject: `pin of ${describeVersion(id)}`,
  examine: async () => {
    const { version, stored: state } = await readWithVersion(id, () =>
      readTwice(() => getItem(reviewStatesTable, toReviewStateKey(id))),
    );
    if (!version || !lacksPin(version, state) || !isOfVersion(state, version)) return [];
    return judge({ version, state }, context);
  },
});

/** Checks that each approval with known upstream metadata has a pin. Reads more of those without one only. */
export async function* checkPins(
  versions: readonly PackageItem[],
  { findState }: EvidenceReader,
  context: CheckContext,
): Checks {
  for (const version of versions) {
    if (lacksPin(version, findState(version))) yield checkPin(version, context);
  }
}
