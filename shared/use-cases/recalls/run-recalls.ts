import type { PackageId } from '../../domain/packages/package-id.ts';
import type { RecallCandidate } from '../../domain/recalls/bound-recalls.ts';
import type { MalwareRecord } from '../../domain/recalls/match-record.ts';
import { countMinutesSince, recalledEcosystems } from '../../domain/recalls/recall.ts';
import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import type { FeedPosition } from '../../scanners/osv/feed-position.ts';
import type { FeedChange } from '../../scanners/osv/feed-reader.ts';
import type { FeedChanges, MalwareFeed } from '../../scanners/osv/malware-feed.ts';
import {
  type RecordChange,
  readFeedState,
  saveFeedState,
} from '../../storage/recalls/feed-state.ts';
import { type ConfirmedRecord, listConfirmed } from '../../storage/recalls/held-recalls.ts';
import { logEvent } from '../../util/log.ts';
import { settleHolds } from './hold-records.ts';
import {
  findCandidates,
  findPendingNamed,
  findRecalled,
  findReleases,
  type ListedRecord,
} from './named-versions.ts';
import { type RecallContext, recallVersion } from './recall-version.ts';
import { recallWithinBounds, tryEach } from './recall-within-bounds.ts';
import { releaseVersion } from './release-version.ts';

/** Counts of one run in one feed. */
export interface RecallReport {
  /** Records of malware that are new or have changed. */
  readonly records: number;
  readonly recalled: number;
  readonly released: number;
  /** Versions that a record names, and that people have to look at. */
  readonly held: number;
  /** Records that the next run tries again. */
  readonly failed: number;
}

/** Result of one step through a feed. */
interface RecallStep extends Pick<FeedChanges, 'isComplete' | 'skippedLines'> {
  readonly report: RecallReport;
}

/** Dependencies of a run. */
export interface RecallRunContext extends RecallContext {
  /** Requests scans of versions. */
  readonly rescan: (ids: readonly PackageId[]) => Promise<unknown>;
}

/** Requests scans of the pending versions that a record names: their last scan was before it, and people decide by that. */
const rescanPending = async (listed: ListedRecord, { rescan }: RecallRunContext): Promise<void> => {
  const ids = await findPendingNamed(listed);
  if (ids.length > 0) await rescan(ids);
};

/** Notes a record for the versions that it names and that another record recalls already. */
const noteRecalled = async (listed: ListedRecord, context: RecallContext): Promise<void> => {
  const { id: record, summary } = listed.record;
  const cause = { record, summary, signalAt: listed.listedAt };
  for (const id of await findRecalled(listed)) {
    await recallVersion(id, cause, context);
  }
};

/** Reads changed records. The id of a record that cannot be read is in `failed`; one that the feed deleted changes nothing. */
const readRecords = async (
  feed: MalwareFeed,
  ecosystem: Ecosystem,
  changes: readonly RecordChange[],
): Promise<{ readonly listed: readonly ListedRecord[]; readonly failed: readonly string[] }> => {
  const listed: ListedRecord[] = [];
  const failed = await tryEach(
    changes,
    ({ id }) => id,
    async ({ id, listedAt }) => {
      const record = await feed.readRecord(ecosystem, id);
      if (record) listed.push({ record, listedAt });
    },
  );
  return { listed, failed: failed.map(({ id }) => id) };
};

const explainRelease = ({ id, withdrawn }: MalwareRecord): string =>
  withdrawn === null ? `${id} does not name this version any more` : `${id} was withdrawn`;

/** Handles changed records of one feed. Returns the counts, and the records whose handling failed. */
const handleRecords = async (
  listed: readonly ListedRecord[],
  confirmed: readonly ConfirmedRecord[],
  context: RecallRunContext,
): Promise<{ readonly report: Omit<RecallReport, 'records' | 'failed'>; failed: string[] }> => {
  const { now } = context;
  let released = 0;
  const candidates: RecallCandidate[] = [];
  const releases: Awaited<ReturnType<typeof findReleases>> = [];
  const unread = await tryEach(
    listed,
    ({ record }) => record.id,
    async (one) => {
      // Before the release of other records: a version stays recalled while one of them names it.
      await noteRecalled(one, context);
      await rescanPending(one, context);
      const [found, ended] = await Promise.all([findCandidates(one, now), findReleases(one)]);
      const confirmation = confirmed.find(({ record }) => record === one.record.id);
      candidates.push(...found.map((candidate) => ({ ...candidate, confirmation })));
      releases.push(...ended);
    },
  );
  const { recalled, held, failed: unrecalled } = await recallWithinBounds(candidates, context);
  const unreleased = await tryEach(
    releases,
    ({ record }) => record.id,
    async ({ id, record }) => {
      const end = { record: record.id, reason: explainRelease(record) };
      if ((await releaseVersion(id, end, context)) === 'released') released += 1;
    },
  );
  const failed = [...unread, ...unrecalled, ...unreleased].map(({ record }) => record.id);
  const handled = listed.map(({ record }) => record).filter(({ id }) => !failed.includes(id));
  await settleHolds(handled, held, context);
  return { report: { recalled, released, held: held.length }, failed };
};

/** Returns the changes to handle: those that failed before, and new ones. A record that changes again keeps its first time. */
const listWanted = (
  retries: readonly RecordChange[],
  changes: readonly FeedChange[],
): readonly RecordChange[] => {
  const times = new Map([
    ...changes.map(({ id, modified }) => [id, modified] as const),
    ...retries.map(({ id, listedAt }) => [id, listedAt] as const),
  ]);
  return [...times].map(([id, listedAt]) => ({ id, listedAt }));
};

const toChange = ({ record, at }: ConfirmedRecord): RecordChange => ({ id: record, listedAt: at });

/** Logs for how long the oldest record waits that could not be handled. */
const reportWaiting = (ecosystem: Ecosystem, retries: readonly RecordChange[]): void => {
  if (retries.length === 0) return;
  const now = new Date();
  const waits = retries.map(({ listedAt }) => countMinutesSince(listedAt, now));
  const records = retries.length;
  logEvent('warn', 'recalls_waiting', { ecosystem, records, minutes: Math.max(...waits) });
};

/** Handles the next changes of a feed. Returns the counts, and whether the feed has more. */
const continueFeed = async (
  feed: MalwareFeed,
  ecosystem: Ecosystem,
  confirmed: readonly ConfirmedRecord[],
  context: RecallRunContext,
): Promise<RecallStep> => {
  const state = await readFeedState<FeedPosition>(ecosystem);
  const { changes, position, ...more } = await feed.listChanges(ecosystem, state.position);
  const wanted = listWanted([...state.retries, ...confirmed.map(toChange)], changes);
  const read = await readRecords(feed, ecosystem, wanted);
  const { report, failed } = await handleRecords(read.listed, confirmed, context);
  const isFailed = new Set([...read.failed, ...failed]);
  const retries = wanted.filter(({ id }) => isFailed.has(id));
  reportWaiting(ecosystem, retries);
  if (wanted.length > 0 || position !== state.position)
    await saveFeedState(ecosystem, { position, retries });
  return { report: { records: wanted.length, ...report, failed: retries.length }, ...more };
};

/** Minimum remaining time to read on in a long feed, in milliseconds. */
const reserveMs = 60_000;

const add = (one: RecallReport, other: RecallReport): RecallReport => ({
  records: one.records + other.records,
  recalled: one.recalled + other.recalled,
  released: one.released + other.released,
  held: one.held + other.held,
  failed: other.failed,
});

/**
 * Reads what is new in the malware feed of one ecosystem, recalls approved versions that a record names, and releases those that
 * it does not name any more. The position is saved after each step: an interrupted step is repeated, which changes nothing twice.
 * A record that fails is tried again by the next run. `confirmed` lists records on hold whose versions a person wants to recall.
 * @throws {UpstreamError} if the feed cannot be read
 */
export const runRecalls = async (
  feed: MalwareFeed,
  ecosystem: Ecosystem,
  context: RecallRunContext,
  confirmed: readonly ConfirmedRecord[] = [],
): Promise<RecallReport> => {
  let { report, isComplete, skippedLines } = await continueFeed(
    feed,
    ecosystem,
    confirmed,
    context,
  );
  while (!isComplete && report.failed === 0 && context.deadline.remainingMs() > reserveMs) {
    const more = await continueFeed(feed, ecosystem, [], context);
    report = add(report, more.report);
    isComplete = more.isComplete;
    skippedLines += more.skippedLines;
  }
  const level = report.failed > 0 ? 'warn' : 'info';
  if (report.records > 0) logEvent(level, 'recalls', { ecosystem, ...report });
  if (skippedLines > 0) logEvent('warn', 'feed_lines_skipped', { ecosystem, lines: skippedLines });
  return report;
};

/**
 * Runs the recalls of all feeds. A feed that cannot be read does not stop the others.
 * @throws {Error} at the end, if a feed could not be read
 */
export const runAllRecalls = async (
  feed: MalwareFeed,
  context: RecallRunContext,
): Promise<Readonly<Partial<Record<Ecosystem, RecallReport>>>> => {
  const confirmed = await listConfirmed();
  const runs = recalledEcosystems.map(async (ecosystem) => {
    const own = confirmed.filter((one) => one.ecosystem === ecosystem);
    const report = await runRecalls(feed, ecosystem, context, own);
    return [ecosystem, report] as const;
  });
  await Promise.allSettled(runs);
  return Object.fromEntries(await Promise.all(runs));
};
