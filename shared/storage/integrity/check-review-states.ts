import { isDeepStrictEqual } from 'node:util';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { digestFindings, type ScanSource } from '../../domain/vulnerabilities/scan-source.ts';
import {
  countAt,
  listEntries,
  type ScanSummary,
  summarize,
} from '../../domain/vulnerabilities/scan-summary.ts';
import { listRecords } from '../decisions/records.ts';
import { readEventually } from '../dynamodb/eventual-reads.ts';
import { batchGet, getItem } from '../dynamodb/read.ts';
import { checkItem, ifUnchanged, putItem, type Write } from '../dynamodb/write.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { isAsRead } from '../packages/write-version.ts';
import {
  type AttentionItem,
  attentionTable,
  makeAttentionRow,
  moveAttention,
} from '../reviews/attention.ts';
import { toRefreshFields } from '../reviews/due-refreshes.ts';
import {
  findPackageRefresh,
  isPackageScheduled,
  packageRefreshTable,
  toPackageRefreshKey,
} from '../reviews/package-refresh.ts';
import { makePolicyRow, type PolicyDue, policyDueTable } from '../reviews/policy-due.ts';
import {
  deleteFindings,
  type FoundFile,
  findReviewFile,
  putFindings,
} from '../reviews/review-file.ts';
import {
  isRefreshedWithPackage,
  isUnscanned,
  notEvaluated,
  type ReviewState,
  reviewStatesTable,
  toReviewStateKey,
  toReviewStatus,
} from '../reviews/review-state.ts';
import { countScans, findScanned } from '../scans/scans.ts';
import {
  type Check,
  type CheckContext,
  type Checks,
  describeVersion,
  findSuspects,
  makeProblem,
  pickVersionKey,
  readTwice,
  readWithVersion,
  transactIfUnchanged,
} from './check.ts';
import { type RebuiltSources, rebuildSources } from './rebuild-scan-sources.ts';

/** Check of each review state against its version, and the scans, risk acceptances and rows of that version. */

/** The review state of a version, and the items that it must agree with, besides the version. */
interface StateEvidence {
  readonly file: FoundFile;
  /** The number of the latest scan. */
  readonly scans: number;
  readonly attention: AttentionItem | undefined;
  /** True if the versions of the package are refreshed together. Only read for an approved version without a refresh of its own. */
  readonly hasPackageRow: boolean;
  /** The row that schedules the next run of the policy. */
  readonly policyRow: PolicyDue | undefined;
}

/** True if the upstream metadata of a version is refreshed: alone, or with its package. A rejected version needs no refresh. */
const isScheduled = (
  id: PackageId,
  { status, refresh_at, refresh_in }: Partial<ReviewState>,
  hasPackageRow: boolean,
): boolean => {
  if (refresh_at !== undefined) return refresh_in === toRefreshFields(id, refresh_at).refresh_in;
  return refresh_in === undefined && (status === 'rejected' || hasPackageRow);
};

/** Reads the items that a review state must agree with, besides the version. */
const readEvidence = async (id: PackageId): Promise<StateEvidence> => {
  // Read the file first: a later scan changes the review state, so a second read differs.
  const file = await findReviewFile(id);
  const { attention: key, next_evaluation } = file.head ?? {};
  const expectedPolicyRow = makePolicyRow(id, next_evaluation ?? null);
  const [scans, attention, packageRow, policyRow] = await Promise.all([
    countScans(id),
    key ? getItem(attentionTable, { v: '#attention', k: key }) : undefined,
    isRefreshedWithPackage(file.head ?? {}) ? findPackageRefresh(id) : undefined,
    expectedPolicyRow &&
      getItem(policyDueTable, { v: expectedPolicyRow.v, k: expectedPolicyRow.k }),
  ]);
  return { file, scans, attention, hasPackageRow: isPackageScheduled(id, packageRow), policyRow };
};

/** The fields of a review state that no other item has. */
type OwnFields = Pick<
  ReviewState,
  'facts' | 'known_withdrawal' | 'evaluated_revision' | 'held_by' | 'next_evaluation'
>;

const pickOwnFields = (state: OwnFields): OwnFields => {
  const { facts, known_withdrawal, evaluated_revision, held_by, next_evaluation } = state;
  return { facts, known_withdrawal, evaluated_revision, held_by, next_evaluation };
};

const hasOwnFields = (state: OwnFields): boolean =>
  Object.values(pickOwnFields(state)).every((field) => field !== undefined);

/** Returns the optional fields of a review state that no other item has. */
const pickOptionalFields = ({
  recall,
  accepted_recalls,
  frozen_rule,
  upstream_normalization,
}: Partial<ReviewState> = {}) => ({
  ...(upstream_normalization !== undefined && { upstream_normalization }),
  ...(typeof frozen_rule === 'string' && { frozen_rule }),
  ...(recall !== undefined && { recall }),
  ...(Array.isArray(accepted_recalls) && { accepted_recalls }),
});

/** Returns the batches that a version itself knows: the one of its submission. */
const listBatches = ({ batch }: PackageItem): readonly string[] =>
  batch === undefined ? [] : [batch];

/** True if the batches of a review state begin with the one of the submission. Others may have joined. */
const hasBatches = (version: PackageItem, batches: unknown): batches is readonly string[] => {
  const own = listBatches(version);
  return Array.isArray(batches) && isDeepStrictEqual(batches.slice(0, own.length), own);
};

/** Returns the last time at which a version was submitted or decided, as far as the version itself shows. */
const findLastMoment = (version: PackageItem): string => {
  const { submitted_at, approved_at, rejected_at, previous } = version;
  return approved_at ?? rejected_at ?? previous?.at ?? submitted_at;
};

/** Returns the counts and acceptances of a scan summary at a moment, without those that have expired. */
const settle = (summary: ScanSummary, now: Date) => ({
  counts: countAt(summary, now),
  accepted: summary.accepted.filter(({ until }) => Date.parse(until) > now.getTime()),
});

/** Returns true if the scan sources of a review state are right. */
type SourcesTest = (state: ReviewState, evidence: StateEvidence) => boolean;

/** Returns true if the scan sources agree with their findings and with the number of the latest scan. */
const sourcesLookRight: SourcesTest = (
  { sources, latest_scan_number },
  { file, scans: latest },
) => {
  const finished = sources.filter((source) => source.finished);
  return (
    latest_scan_number === latest &&
    // The latest scan may be missing because it was dismissed: the check then rebuilds the sources.
    (latest === 0 || sources.some(({ number }) => number === latest)) &&
    file.findings.size === finished.length &&
    finished.every(({ id, finished: last }) => {
      const found = file.findings.get(id);
      return found !== undefined && digestFindings(found) === last?.digest;
    })
  );
};

const expectAttention = (
  version: PackageItem,
  state: ReviewState,
  { now, scanPolicy }: CheckContext,
): AttentionItem | undefined => makeAttentionRow(version, state, { now, policy: scanPolicy });

/** Returns true if a review state agrees with its version and with all evidence. */
const isStateRight = (
  version: PackageItem,
  evidence: StateEvidence,
  { areSourcesRight, context }: { areSourcesRight: SourcesTest; context: CheckContext },
): boolean => {
  const { head: state } = evidence.file;
  if (!state || !Array.isArray(state.sources) || !Array.isArray(state.accepted)) return false;
  if (!hasOwnFields(state)) return false;
  const { v: _, k: __, ...stored } = { ...toReviewStateKey(version), ...state };
  const {
    at,
    evidence_revision: count,
    latest_scan_number: _latest,
    sources,
    counts,
    accepted,
    attention,
    ...others
  } = stored;
  const {
    facts: _facts,
    known_withdrawal: _known,
    evaluated_revision: _evaluated,
    held_by: _held,
    frozen_rule: _frozen,
    ...more
  } = others;
  const { refresh_failures: _failures, next_evaluation, ...unscheduled } = more;
  const { refresh_at: _at, refresh_in: _in, ...written } = unscheduled;
  const { submitter, batches, automatic, ...rest } = written;
  const { recall: _recall, accepted_recalls: _accepted, ...own } = rest;
  const { upstream_normalization: _upstream, ...status } = own;
  const { now } = context;
  const summary = summarize(sources, listEntries({ ...evidence.file, sources }), now);
  const row = expectAttention(version, state, context);
  return (
    isDeepStrictEqual(status, toReviewStatus(version, version.revision)) &&
    typeof count === 'number' &&
    typeof at === 'string' &&
    at >= findLastMoment(version) &&
    areSourcesRight(state, evidence) &&
    isDeepStrictEqual(settle({ sources, counts, accepted }, now), settle(summary, now)) &&
    submitter === version.submitted_token_label &&
    hasBatches(version, batches) &&
    isDeepStrictEqual(automatic, version.automatic) &&
    isScheduled(version, state, evidence.hasPackageRow) &&
    isDeepStrictEqual(evidence.policyRow, makePolicyRow(version, next_evaluation)) &&
    attention === (row?.k ?? null) &&
    isDeepStrictEqual(evidence.attention, row)
  );
};

/**
 * Returns the condition that no evidence arrived and no policy ran since the read. All other changes of a review state
 * change its version, too.
 */
const isStateAsSeen = (state: ReviewState | undefined) =>
  ifUnchanged(state, [
    'v',
    'evidence_revision',
    'refresh_at',
    'evaluated_revision',
    'next_evaluation',
  ]);

/** Returns the rebuilt scan sources, with the fields that the review state alone knows. */
const restoreSources = (rebuilt: RebuiltSources, state: ReviewState | undefined): ScanSource[] => {
  const known = Array.isArray(state?.sources) ? state.sources : [];
  return rebuilt.sources.map((source) => {
    const before = known.find(({ id, number }) => id === source.id && number === source.number);
    const { confirmed_at, failures } = before ?? source;
    return { ...source, confirmed_at: confirmed_at ?? source.confirmed_at, failures };
  });
};

/** Returns a test that is true if the scan sources and findings equal those rebuilt from all scans. */
const areSourcesAs =
  (rebuilt: RebuiltSources): SourcesTest =>
  (state, { file }) =>
    state.latest_scan_number === rebuilt.scans &&
    isDeepStrictEqual(state.sources, restoreSources(rebuilt, state)) &&
    isDeepStrictEqual(new Map(file.findings), new Map(rebuilt.findings));

/** Items that the check of one review state has read, and the scan sources rebuilt from all scans. */
interface StateRead {
  readonly version: PackageItem;
  readonly evidence: StateEvidence;
  readonly rebuilt: RebuiltSources;
}

/** Returns when the upstream metadata of a version alone is refreshed next; at once, if nothing else refreshes it. */
const findRefreshTime = (
  { status, ...id }: PackageItem,
  { file: { head }, hasPackageRow }: StateEvidence,
  now: Date,
): string | undefined => {
  if (typeof head?.refresh_at === 'string') return head.refresh_at;
  const isKept = head && isScheduled(id, { status }, hasPackageRow);
  return isKept ? undefined : now.toISOString();
};

/** Returns the review state that follows from all evidence. */
const rebuildState = async (
  { version, evidence, rebuilt }: StateRead,
  { now }: CheckContext,
): Promise<ReviewState> => {
  const { head: state, acceptances } = evidence.file;
  const [record] = await listRecords(version, { count: 1 });
  const last = findLastMoment(version);
  const sources = restoreSources(rebuilt, state);
  const entries = listEntries({ sources, findings: rebuilt.findings, acceptances });
  return {
    ...toReviewStatus(version, version.revision),
    ...summarize(sources, entries, now),
    // Each record is later than the one before, also if a restore of the version has undone its decision.
    at: record && record.at > last ? record.at : last,
    // A concurrent decision must read the new state first.
    evidence_revision:
      (typeof state?.evidence_revision === 'number' ? state.evidence_revision : 0) + 1,
    latest_scan_number: rebuilt.scans,
    attention: typeof state?.attention === 'string' ? state.attention : null,
    // Lost upstream metadata is fetched again.
    ...notEvaluated,
    ...(state && hasOwnFields(state) && pickOwnFields(state)),
    ...pickOptionalFields(state),
    submitter: version.submitted_token_label,
    ...(version.automatic && { automatic: version.automatic }),
    batches: hasBatches(version, state?.batches) ? state.batches : listBatches(version),
    ...toRefreshFields(version, findRefreshTime(version, evidence, now)),
  };
};

/** Returns the writes that replace the findings of each scan source by the rebuilt ones, and delete all others. */
const replaceFindings = ({ version, evidence, rebuilt }: StateRead): Write[] => {
  const stray = [...evidence.file.findings.keys()].filter((id) => !rebuilt.findings.has(id));
  return [
    ...[...rebuilt.findings].map(([id, found]) => putFindings(version, id, found)),
    ...stray.map((id) => deleteFindings(version, id)),
  ];
};

/** Replaces a review state and its rows. Fails if a concurrent decision or scan changed its version. */
const replaceState = async (read: StateRead, context: CheckContext): Promise<void> => {
  const { version, evidence } = read;
  const state = await rebuildState(read, context);
  const row = expectAttention(version, state, context);
  const policyRow = makePolicyRow(version, state.next_evaluation);
  const item = { ...toReviewStateKey(version), ...state, attention: row?.k ?? null };
  return transactIfUnchanged(
    [
      checkItem(packagesTable, pickVersionKey(version), isAsRead(version)),
      putItem(reviewStatesTable, item, isStateAsSeen(evidence.file.head)),
      ...replaceFindings(read),
      ...(policyRow ? [putItem(policyDueTable, policyRow)] : []),
      ...moveAttention(state.attention, row),
    ],
    context.deadline,
  );
};

/** Returns the check of one review state, with its scan sources rebuilt from all scans. */
const checkState = (id: PackageId, settings: CheckContext): Check => ({
  subject: `review state of ${describeVersion(id)}`,
  examine: async () => {
    const read = await readWithVersion(id, () =>
      readTwice(async () => ({
        evidence: await readEvidence(id),
        rebuilt: await rebuildSources(id),
      })),
    );
    const { version, stored } = read;
    if (!version) return [];
    // A need for attention may have begun since the start of the check.
    const context = { ...settings, now: new Date() };
    const areSourcesRight = areSourcesAs(stored.rebuilt);
    if (isStateRight(version, stored.evidence, { areSourcesRight, context })) return [];
    return [
      makeProblem({ kind: 'wrong_review_state', example: describeVersion(version) }, () =>
        replaceState({ version, ...stored }, context),
      ),
    ];
  },
});

/** Returns a function that reads the evidence of a version. A few batch reads serve all versions without scans. */
const createEvidenceReader = async (versions: readonly PackageItem[]) => {
  const states = await batchGet(reviewStatesTable, versions.map(toReviewStateKey));
  const stateByKey = new Map(states.map((state) => [{ v: '', ...state }.v, state]));
  const packageRows = await batchGet(
    packageRefreshTable,
    versions
      .filter((version) =>
        isRefreshedWithPackage(stateByKey.get(toReviewStateKey(version).v) ?? {}),
      )
      .map(toPackageRefreshKey),
  );
  const packageRowByKey = new Map(packageRows.map((row) => [row.v, row]));
  const scanned = await findScanned(versions);
  return async (version: PackageItem): Promise<StateEvidence> => {
    const state = stateByKey.get(toReviewStateKey(version).v);
    const hasNothingElse =
      state &&
      isUnscanned(state) &&
      state.attention === null &&
      state.next_evaluation === null &&
      !scanned.has(toVersionKey(version));
    if (!hasNothingElse) return readEvidence(version);
    return {
      file: { head: state, findings: new Map(), acceptances: [] },
      scans: 0,
      attention: undefined,
      policyRow: undefined,
      hasPackageRow: isPackageScheduled(
        version,
        packageRowByKey.get(toPackageRefreshKey(version).v),
      ),
    };
  };
};

/** Checks that each version has the review state that follows from it and from its evidence. */
export async function* checkReviewStates(
  versions: readonly PackageItem[],
  context: CheckContext,
): Checks {
  const readEvidenceOf = await readEventually(() => createEvidenceReader(versions));
  const suspects = await findSuspects(versions, async (version) =>
    isStateRight(version, await readEvidenceOf(version), {
      areSourcesRight: sourcesLookRight,
      context,
    }),
  );
  for (const version of suspects) yield checkState(version, context);
}
