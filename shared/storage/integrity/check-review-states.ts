import { isDeepStrictEqual } from 'node:util';
import { toVersionKey } from '../../domain/packages/package-id.ts';
import { digestFindings, type ScanSource } from '../../domain/vulnerabilities/scan-source.ts';
import {
  countAt,
  listEntries,
  type ScanSummary,
  summarize,
} from '../../domain/vulnerabilities/scan-summary.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { listRecords } from '../decisions/records.ts';
import { batchGet } from '../dynamodb/read.ts';
import { checkItem, ifUnchanged, putItem } from '../dynamodb/write.ts';
import { type PackageItem, packagesTable } from '../packages/package-item.ts';
import { isAsRead } from '../packages/write-version.ts';
import { makeAttentionRow, moveAttention } from '../reviews/attention.ts';
import { factsDueTable, makeFactsDue, putFactsDue, toFactsDueKey } from '../reviews/facts-due.ts';
import { makePolicyRow, policyDueTable } from '../reviews/policy-due.ts';
import { deleteFindings, putFindings } from '../reviews/review-file.ts';
import {
  isUnscanned,
  notEvaluated,
  type ReviewState,
  reviewStatesTable,
  toReviewStateKey,
  toReviewStatus,
} from '../reviews/review-state.ts';
import { findScanned } from '../scans/scans.ts';
import { type HeadEvidence, readHeadEvidence } from './head-evidence.ts';
import { hasRest, pickRest } from './head-rest.ts';
import { readSteadily } from './read-steadily.ts';
import { type RebuiltSlots, rebuildSlots } from './rebuild-slots.ts';
import { pickVersionKey } from './repair-version.ts';
import type { CheckContext } from './tally.ts';
import { transactUnlessChanged } from './transact-unless-changed.ts';

const parallelReads = 8;

/** When a version was last submitted or decided, as far as it says so itself. */
const findLastMoment = (version: PackageItem): string => {
  const { submitted_at, approved_at, rejected_at, previous } = version;
  return approved_at ?? rejected_at ?? previous?.at ?? submitted_at;
};

/** A standing as it is at a moment: what ran out by then counts. */
const settle = (standing: ScanSummary, now: Date) => ({
  counts: countAt(standing, now),
  accepted: standing.accepted.filter(({ until }) => Date.parse(until) > now.getTime()),
});

/** Whether the sources hold together with what they found, and with the latest scan. */
const areSlotsRight = (
  { sources, latest_scan_number }: ReviewState,
  { file, scans: latest }: HeadEvidence,
): boolean => {
  const finished = sources.filter((slot) => slot.finished);
  return (
    latest_scan_number === latest &&
    // Where it is not there, it may have been retired: then all scans are gone through.
    (latest === 0 || sources.some(({ number }) => number === latest)) &&
    file.findings.size === finished.length &&
    finished.every(({ id, finished: last }) => {
      const found = file.findings.get(id);
      return found !== undefined && digestFindings(found) === last?.digest;
    })
  );
};

const makeRow = (
  version: PackageItem,
  head: ReviewState,
  { now, scanPolicy }: Pick<CheckContext, 'now' | 'scanPolicy'>,
) => makeAttentionRow(version, head, { now, policy: scanPolicy });

/** Whether a head says of its version, and of all that is known of it, what it must. */
const isRight = (
  version: PackageItem,
  evidence: HeadEvidence,
  context: CheckContext,
  areRight = areSlotsRight,
): boolean => {
  const { head } = evidence.file;
  if (!head || !Array.isArray(head.sources) || !Array.isArray(head.accepted)) return false;
  if (!hasRest(head)) return false;
  const { v: _, k: __, ...said } = { ...toReviewStateKey(version), ...head };
  const {
    at,
    evidence_revision: count,
    sources,
    counts,
    accepted,
    latest_scan_number: _latest,
    attention,
    ...others
  } = said;
  const {
    facts: _facts,
    known_withdrawal: _known,
    evaluated_revision: _evaluated,
    held_by: _held,
    ...more
  } = others;
  const { refresh_at, refresh_failures: _failures, evaluate_at, submitter, ...standing } = more;
  const { now } = context;
  const known = summarize(sources, listEntries({ ...evidence.file, sources }), now);
  const row = makeRow(version, head, context);
  return (
    isDeepStrictEqual(standing, toReviewStatus(version, version.revision)) &&
    typeof count === 'number' &&
    typeof at === 'string' &&
    at >= findLastMoment(version) &&
    areRight(head, evidence) &&
    isDeepStrictEqual(settle({ sources, counts, accepted }, now), settle(known, now)) &&
    submitter === version.submitted_token_label &&
    typeof refresh_at === 'string' &&
    isDeepStrictEqual(evidence.asking, makeFactsDue(version, refresh_at)) &&
    isDeepStrictEqual(evidence.judging, makePolicyRow(version, evaluate_at)) &&
    attention === (row?.k ?? null) &&
    isDeepStrictEqual(evidence.attention, row)
  );
};

/** Holds while nothing more became known of a version, and no rule looked at it: what else changes it changes its version, too. */
const isHeadAsSeen = (head: ReviewState | undefined) =>
  ifUnchanged(head, ['v', 'evidence_revision', 'refresh_at', 'evaluated_revision', 'evaluate_at']);

/** Slots as the scans say; what only the head knows is kept. */
const restoreSlots = (rebuilt: RebuiltSlots, head: ReviewState | undefined): ScanSource[] => {
  const known = Array.isArray(head?.sources) ? head.sources : [];
  return rebuilt.sources.map((slot) => {
    const before = known.find(({ id, number }) => id === slot.id && number === slot.number);
    const { confirmed_at, failures } = before ?? slot;
    return { ...slot, confirmed_at: confirmed_at ?? slot.confirmed_at, failures };
  });
};

/** Puts a head that says what it must, unless its version was decided or scanned meanwhile. */
const putHead = async (
  version: PackageItem,
  { file }: HeadEvidence,
  rebuilt: RebuiltSlots,
  context: CheckContext,
): Promise<boolean> => {
  const { head } = file;
  const [record] = await listRecords(version, { count: 1 });
  const last = findLastMoment(version);
  const sources = restoreSlots(rebuilt, head);
  const entries = listEntries({
    sources,
    findings: rebuilt.findings,
    acceptances: file.acceptances,
  });
  const known = typeof head?.attention === 'string' ? head.attention : null;
  const item: ReviewState = {
    ...toReviewStatus(version, version.revision),
    ...summarize(sources, entries, context.now),
    // Records are later than each other, also those that a restore of the version took back.
    at: record && record.at > last ? record.at : last,
    // Whoever is about to decide looks again.
    evidence_revision:
      (typeof head?.evidence_revision === 'number' ? head.evidence_revision : 0) + 1,
    latest_scan_number: rebuilt.scans,
    attention: known,
    // What is not there any more is asked for anew.
    ...notEvaluated,
    ...(head && hasRest(head) && pickRest(head)),
    submitter: version.submitted_token_label,
    refresh_at: typeof head?.refresh_at === 'string' ? head.refresh_at : context.now.toISOString(),
  };
  const row = makeRow(version, item, context);
  const judging = makePolicyRow(version, item.evaluate_at);
  const stray = [...file.findings.keys()].filter((slotId) => !rebuilt.findings.has(slotId));
  return transactUnlessChanged(
    [
      checkItem(packagesTable, pickVersionKey(version), isAsRead(version)),
      putItem(
        reviewStatesTable,
        { ...toReviewStateKey(version), ...item, attention: row?.k ?? null },
        isHeadAsSeen(head),
      ),
      ...[...rebuilt.findings].map(([slotId, found]) => putFindings(version, slotId, found)),
      ...stray.map((slotId) => deleteFindings(version, slotId)),
      putFactsDue(version, item.refresh_at),
      ...(judging ? [putItem(policyDueTable, judging)] : []),
      ...moveAttention(known, row),
    ],
    context.deadline,
  );
};

/** Whether the sources are those that all scans come to. */
const areSlotsAs =
  (rebuilt: RebuiltSlots) =>
  (head: ReviewState, { file }: HeadEvidence): boolean =>
    head.latest_scan_number === rebuilt.scans &&
    isDeepStrictEqual(head.sources, restoreSlots(rebuilt, head)) &&
    isDeepStrictEqual(new Map(file.findings), new Map(rebuilt.findings));

/** Judges a head that looked wrong, and mends it: was its version only decided or scanned between two reads? */
const checkReviewState = async (doubtful: PackageItem, context: CheckContext): Promise<void> => {
  const read = async () => ({
    evidence: await readHeadEvidence(doubtful),
    rebuilt: await rebuildSlots(doubtful),
  });
  const steady = await readSteadily(doubtful, read, context);
  if (!steady?.version) return;
  const { version, kept } = steady;
  const { evidence, rebuilt } = kept;
  if (isRight(version, evidence, context, areSlotsAs(rebuilt))) return;
  const { ecosystem, name } = version;
  context.tally.find('wrong_review_state', `${ecosystem} ${name} ${version.version}`);
  if (context.repair && (await putHead(version, evidence, rebuilt, context))) {
    context.tally.repair(1);
  }
};

/** Compares the heads of some versions with the versions, their scans, and what was accepted. */
export const checkHeads = async (
  versions: readonly PackageItem[],
  context: CheckContext,
): Promise<void> => {
  const stored = await batchGet(reviewStatesTable, versions.map(toReviewStateKey));
  const heads = new Map(stored.map((head) => [{ v: '', ...head }.v, head]));
  const askings = await batchGet(
    factsDueTable,
    versions.flatMap((version) => {
      const { refresh_at } = heads.get(toReviewStateKey(version).v) ?? {};
      return typeof refresh_at === 'string' ? [toFactsDueKey(version, refresh_at)] : [];
    }),
  );
  const askingByKey = new Map(askings.map((row) => [row.k, row]));
  const scanned = await findScanned(versions);
  const looksRight = await runInParallel(versions, parallelReads, async (version) => {
    const head = heads.get(toReviewStateKey(version).v);
    // Most versions have no scans, which a few reads of many tell; what was left behind is found by its own key.
    const isWithout =
      head &&
      isUnscanned(head) &&
      head.attention === null &&
      head.evaluate_at === null &&
      !scanned.has(toVersionKey(version));
    const file = { head, findings: new Map(), acceptances: [] };
    const evidence = isWithout
      ? {
          file,
          scans: 0,
          attention: undefined,
          judging: undefined,
          asking: askingByKey.get(toFactsDueKey(version, head.refresh_at).k),
        }
      : await readHeadEvidence(version);
    return isRight(version, evidence, context);
  });
  for (const version of versions.filter((_, at) => !looksRight[at])) {
    await checkReviewState(version, context);
  }
};
