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
  type WatchedRecord,
} from '../../storage/recalls/feed-state.ts';
import {
  deleteFoundRecords,
  type FoundRecord,
  listFoundRecords,
} from '../../storage/recalls/found-records.ts';
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

/** Record to handle. `since` is the time when it was handled first. */
interface HandledRecord extends ListedRecord {
  readonly since: string;
}

/**
 * Requests scans of the pending versions that a record names: their last scan was before it, and decisions go by that. Returns
 * true if there are versions whose scan has not reported the record. They may be approved before the scan, or without one.
 */
const rescanPending = async (
  one: HandledRecord,
  { rescan }: RecallRunContext,
): Promise<boolean> => {
  const pending = await findPendingNamed(one, one.since);
  const ids = pending.filter(({ isScanned }) => !isScanned).map(({ id }) => id);
  if (ids.length > 0) await rescan(ids);
  return pending.length > 0;
};

/** Notes a record for the versions that it names and that another record recalls already. */
const noteRecalled = async (listed: ListedRecord, context: RecallContext): Promise<void> => {
  const { id: record, summary } = listed.record;
  const cause = { record, summary, signalAt: listed.listedAt };
  for (const id of await findRecalled(listed)) {
    await recallVersion(id, cause, context);
  }
};

/**
 * Reads changed records. The id of a record that cannot be read is in `failed`, and so is one that a person confirmed and that the
 * feed does not have. Any other one that the feed deleted changes nothing.
 */
const readRecords = async (
  feed: MalwareFeed,
  ecosystem: Ecosystem,
  changes: readonly WatchedRecord[],
  confirmed: readonly ConfirmedRecord[],
  { deadline }: RecallRunContext,
): Promise<{ readonly listed: readonly HandledRecord[]; readonly failed: readonly string[] }> => {
  const listed: HandledRecord[] = [];
  const failed = await tryEach(
    changes,
    { nameOf: ({ id }) => id, deadline },
    async ({ id, ...times }) => {
      const record = await feed.readRecord(ecosystem, id);
      if (record) listed.push({ record, ...times });
      else if (confirmed.some((one) => one.record === id)) {
        throw new Error('A person confirmed the record, but the feed does not have it any more');
      }
    },
  );
  return { listed, failed: failed.map(({ id }) => id) };
};

const explainRelease = ({ id, withdrawn }: MalwareRecord): string =>
  withdrawn === null ? `${id} does not name this version any more` : `${id} was withdrawn`;

/** Result of the handling of some records. */
interface Handling {
  readonly report: Omit<RecallReport, 'records' | 'failed'>;
  /** Ids of the records whose handling failed. */
  readonly failed: readonly string[];
  /** Ids of the records that name pending versions whose scan has not reported them. */
  readonly pending: ReadonlySet<string>;
}

/** Handles records of one feed. */
const handleRecords = async (
  listed: readonly HandledRecord[],
  confirmed: readonly ConfirmedRecord[],
  context: RecallRunContext,
): Promise<Handling> => {
  const { now, deadline } = context;
  const nameOf = ({ record }: { readonly record: { readonly id: string } }): string => record.id;
  let released = 0;
  const pending = new Set<string>();
  const candidates: RecallCandidate[] = [];
  const releases: Awaited<ReturnType<typeof findReleases>> = [];
  const unread = await tryEach(listed, { nameOf, deadline }, async (one) => {
    // Before the release of other records: a version stays recalled while one of them names it.
    await noteRecalled(one, context);
    // Before the approved versions are read, so that an approval in between misses none of both.
    if (await rescanPending(one, context)) pending.add(one.record.id);
    const confirmation = confirmed.find(({ record }) => record === one.record.id);
    const [found, ended] = await Promise.all([
      findCandidates(one, confirmation, now),
      findReleases(one),
    ]);
    candidates.push(...found);
    releases.push(...ended);
  });
  const { recalled, held, failed: unrecalled } = await recallWithinBounds(candidates, context);
  const unreleased = await tryEach(releases, { nameOf, deadline }, async ({ id, record }) => {
    const end = { record: record.id, reason: explainRelease(record) };
    if ((await releaseVersion(id, end, context)) === 'released') released += 1;
  });
  const failed = [...unread, ...unrecalled, ...unreleased].map(({ record }) => record.id);
  const handled = listed.map(({ record }) => record).filter(({ id }) => !failed.includes(id));
  await settleHolds(handled, held, context);
  return { report: { recalled, released, held: held.length }, failed, pending };
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

/** Retries from which a run reads no new changes: the item of the progress has a maximum size. */
const mostRetries = 1000;

/** Most records that are watched. Few records name pending versions, and scans soon report most of them. */
const mostWatched = 200;

/** Records that a run handles besides the changes of a feed. */
interface RequestedRecords {
  /** Held records that a person confirmed: their versions are recalled without bounds. */
  readonly confirmed?: readonly ConfirmedRecord[];
  /** Records that scans found on approved versions. */
  readonly found?: readonly FoundRecord[];
}

/** Handles the next changes of a feed. Returns the counts, and whether the feed has more. */
const continueFeed = async (
  feed: MalwareFeed,
  ecosystem: Ecosystem,
  { confirmed = [], found = [] }: RequestedRecords,
  context: RecallRunContext,
): Promise<RecallStep> => {
  const state = await readFeedState<FeedPosition>(ecosystem);
  const { changes, position, ...more } =
    state.retries.length < mostRetries
      ? await feed.listChanges(ecosystem, state.position)
      : { changes: [], position: state.position, isComplete: true, skippedLines: 0 };
  const requested = [...confirmed.map(toChange), ...found];
  const wanted = listWanted([...state.retries, ...requested], changes);
  const since = context.now.toISOString();
  const isWanted = new Set(wanted.map(({ id }) => id));
  const again = state.watched.filter(({ id }) => !isWanted.has(id));
  const all = [...again, ...wanted.map((one) => ({ ...one, since }))];
  const read = await readRecords(feed, ecosystem, all, confirmed, context);
  const { report, failed, pending } = await handleRecords(read.listed, confirmed, context);
  const isFailed = new Set([...read.failed, ...failed]);
  const retries = wanted.filter(({ id }) => isFailed.has(id));
  reportWaiting(ecosystem, retries);
  const watched = all
    .filter(({ id }) => pending.has(id) || (isFailed.has(id) && !isWanted.has(id)))
    .slice(-mostWatched);
  const isChanged = wanted.length > 0 || watched.length < state.watched.length;
  if (isChanged || position !== state.position)
    await saveFeedState(ecosystem, { position, retries, watched });
  await deleteFoundRecords(found);
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
 * A record that fails is tried again by the next run, and so is one that names a pending version, until a scan has reported it or
 * somebody has decided.
 * @throws {UpstreamError} if the feed cannot be read
 */
export const runRecalls = async (
  feed: MalwareFeed,
  ecosystem: Ecosystem,
  context: RecallRunContext,
  requested: RequestedRecords = {},
): Promise<RecallReport> => {
  let { report, isComplete, skippedLines } = await continueFeed(
    feed,
    ecosystem,
    requested,
    context,
  );
  while (!isComplete && report.failed === 0 && context.deadline.remainingMs() > reserveMs) {
    const more = await continueFeed(feed, ecosystem, {}, context);
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
  const [confirmed, found] = await Promise.all([listConfirmed(), listFoundRecords()]);
  const runs = recalledEcosystems.map(async (ecosystem) => {
    const isOwn = (one: { readonly ecosystem: Ecosystem }): boolean => one.ecosystem === ecosystem;
    const requested = { confirmed: confirmed.filter(isOwn), found: found.filter(isOwn) };
    const report = await runRecalls(feed, ecosystem, context, requested);
    return [ecosystem, report] as const;
  });
  await Promise.allSettled(runs);
  return Object.fromEntries(await Promise.all(runs));
};
