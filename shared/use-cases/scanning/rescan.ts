import type { PackageId } from '../../domain/packages/package-id.ts';
import { isScannedAutomatically } from '../../domain/vulnerabilities/scanned-ecosystems.ts';
import { listVersionsAfter } from '../../storage/catalogue/versions-after.ts';
import {
  type RescanState,
  readRescanState,
  readRetryPosition,
  saveRescanState,
  saveRetryPosition,
} from '../../storage/scans/rescan-state.ts';
import { deleteUnscanned, listUnscanned } from '../../storage/scans/unscanned.ts';
import { logEvent } from '../../util/log.ts';
import {
  type Outcome,
  type OwnScanStatus,
  type Scanned,
  type Scanning,
  scanVersions,
} from './scan-versions.ts';

/** What one run of the worker did: how many versions it scanned, and how many it could not. */
export interface RescanReport {
  readonly scanned: number;
  readonly failed: number;
  /** Whether every approved version has been looked at since the round began. */
  readonly done: boolean;
  /** By how much the round is late that is under way. */
  readonly late_seconds: number;
}

interface RescanRules {
  /** From the beginning of one round to that of the next. */
  readonly everyHours: number;
  readonly now: Date;
}

const batchSize = 100;

/** A batch is not begun with less time than this: OSV.dev may be slow, and each result is written by itself. */
const reserveMs = 3 * 60_000;

const hourMs = 60 * 60_000;

const isTimeLeft = ({ deadline }: Scanning): boolean => deadline.remainingMs() > reserveMs;

/** Counts what became of versions. */
interface Tally {
  scanned: number;
  failed: number;
  /** Of those that failed, the ones that the registry itself could not read or write. */
  broken: number;
}

/**
 * Scans a batch, and counts what came of it. Where OSV.dev cannot be asked at all, it ends the run: the next one begins
 * at the same place. What goes wrong with one version costs that one alone.
 */
const scanBatch = async (
  versions: readonly PackageId[],
  isWanted: (status: OwnScanStatus) => boolean,
  { tally, scanning }: { readonly tally: Tally; readonly scanning: Scanning },
): Promise<Scanned<PackageId>[]> => {
  const scanned = await scanVersions(versions.filter(isScannedAutomatically), isWanted, scanning);
  const count = (wanted: Outcome): number =>
    scanned.filter(({ outcome }) => outcome === wanted).length;
  const attempted = scanned.length - count('unwanted');
  if (attempted > 0 && count('unreachable') === attempted) {
    throw new Error('OSV.dev cannot be asked; the next run tries again');
  }
  tally.scanned += count('told');
  tally.failed += attempted - count('told');
  tally.broken += count('broken');
  return scanned;
};

/**
 * Tries again what could not be scanned, or is still to be scanned, whatever its status. Goes on where the run before
 * stopped, and takes half of the time at most: what fails for ever shall keep back neither the rest of the list nor the
 * approved versions.
 */
const retryUnscanned = async (scanning: Scanning, tally: Tally): Promise<void> => {
  const isWanted = (status: OwnScanStatus) => status !== 'finished';
  const enoughMs = scanning.deadline.remainingMs() / 2;
  const began = await readRetryPosition();
  let place = began;
  while (isTimeLeft(scanning) && scanning.deadline.remainingMs() > enoughMs) {
    const versions = await listUnscanned(place, batchSize);
    const scanned = await scanBatch(versions, isWanted, { tally, scanning });
    // A finished scan takes its version off the list: only what is out of step still stands there.
    const stale = scanned.filter(({ outcome }) => outcome === 'unwanted');
    for (const { version } of stale) await deleteUnscanned(version);
    place = versions.length < batchSize ? undefined : versions.at(-1);
    if (place || began) await saveRetryPosition(place);
    if (!place) return;
  }
};

/** Where to go on: in the round under way, in a new one when it is time, or nowhere. */
const findNextState = (
  state: RescanState | undefined,
  rules: RescanRules,
): RescanState | undefined => {
  const { everyHours, now } = rules;
  if (state && state.after !== null) return state;
  // A little early is better than a run too late: the clock that wakes the worker is not exact.
  const dueMs = state ? Date.parse(state.began_at) + everyHours * hourMs - hourMs / 10 : 0;
  return now.getTime() >= dueMs ? { began_at: now.toISOString(), after: 0 } : undefined;
};

/** By how many seconds the round under way is late; 0 where it is in time, or none is under way. */
const measureDelay = (state: RescanState | undefined, { everyHours, now }: RescanRules): number => {
  if (!state || state.after === null) return 0;
  const lateMs = now.getTime() - Date.parse(state.began_at) - everyHours * hourMs;
  return Math.max(0, Math.round(lateMs / 1000));
};

/**
 * Scans approved versions again, the oldest first, so that what became known since is found. Goes as far as its time
 * allows, and goes on from there the next time; the next round begins when this one is through.
 */
const rescanApproved = async (
  rules: RescanRules,
  scanning: Scanning,
  tally: Tally,
): Promise<{ done: boolean; late_seconds: number }> => {
  let state = findNextState(await readRescanState(), rules);
  while (state && state.after !== null && isTimeLeft(scanning)) {
    const place = { status: 'approved', ordinal: state.after } as const;
    const versions = await listVersionsAfter(place, batchSize);
    await scanBatch(versions, () => true, { tally, scanning });
    state = { ...state, after: versions.at(-1)?.ordinal ?? null };
    await saveRescanState(state);
  }
  return { done: !state || state.after === null, late_seconds: measureDelay(state, rules) };
};

/**
 * One run of the worker: first what could not be scanned before, then the approved versions.
 * @throws {Error} where OSV.dev cannot be asked, and, after all else is done, where versions could not be read or written
 */
export const rescan = async (rules: RescanRules, scanning: Scanning): Promise<RescanReport> => {
  const tally: Tally = { scanned: 0, failed: 0, broken: 0 };
  await retryUnscanned(scanning, tally);
  const round = await rescanApproved(rules, scanning, tally);
  logEvent(tally.failed > 0 ? 'warn' : 'info', 'rescan', { ...tally, ...round });
  if (tally.broken > 0) {
    throw new Error(`${tally.broken} versions could not be read or written; the log names them`);
  }
  return { scanned: tally.scanned, failed: tally.failed, ...round };
};
