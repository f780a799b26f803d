import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import { isScannedAutomatically } from '../../domain/vulnerabilities/scanned-ecosystems.ts';
import { listVersionsAfter } from '../../storage/catalogue/versions-after.ts';
import { saveRescanRound } from '../../storage/reviews/rescan-round.ts';
import {
  type RescanState,
  readRescanState,
  readRetryPosition,
  saveRescanState,
  saveRetryPosition,
} from '../../storage/scans/rescan-state.ts';
import { deleteUnscanned, listUnscanned } from '../../storage/scans/unscanned.ts';
import { hourMs } from '../../util/duration.ts';
import { logEvent } from '../../util/log.ts';
import {
  type Outcome,
  type OwnScanStatus,
  type Scanned,
  type Scanning,
  type ScanningOptions,
  scanVersions,
} from './scan-versions.ts';

/** Counts of one run of the worker: versions that it scanned, and versions that it could not scan. */
export interface RescanReport {
  readonly scanned: number;
  readonly failed: number;
  /** True if the current round has covered every approved version. */
  readonly done: boolean;
  /** Delay of the current round in seconds. */
  readonly late_seconds: number;
}

interface RescanRules {
  /** Hours from the start of one round to the start of the next. */
  readonly everyHours: number;
  readonly now: Date;
}

const batchSize = 100;

/** Minimum time to start a batch: OSV.dev may be slow, and each result is a separate write. */
const reserveMs = 3 * 60_000;

const isTimeLeft = ({ deadline }: Scanning): boolean => deadline.remainingMs() > reserveMs;

/** Maximum number of versions that a complete round names as not scanned. */
const mostSkipped = 200;

/** Counters of scan outcomes. */
interface Tally {
  scanned: number;
  failed: number;
  /** Failed versions that the registry itself could not read or write. */
  broken: number;
}

/**
 * Scans a batch and counts its outcomes. A failure of one version does not affect the others.
 * @throws {Error} if OSV.dev is unreachable for the whole batch; the next run starts at the same position
 */
const scanBatch = async (
  versions: readonly PackageId[],
  isWanted: (status: OwnScanStatus) => boolean,
  { tally, scanning }: { readonly tally: Tally; readonly scanning: ScanningOptions },
): Promise<Scanned<PackageId>[]> => {
  const scanned = await scanVersions(versions.filter(isScannedAutomatically), isWanted, scanning);
  const count = (wanted: Outcome): number =>
    scanned.filter(({ outcome }) => outcome === wanted).length;
  const attempted = scanned.length - count('unwanted');
  if (attempted > 0 && count('unreachable') === attempted) {
    throw new Error('OSV.dev is unreachable; the next run tries again');
  }
  tally.scanned += count('saved');
  tally.failed += attempted - count('saved');
  tally.broken += count('broken');
  return scanned;
};

/**
 * Scans versions of any status whose scan failed or is still missing. Continues where the previous run stopped, and uses
 * at most half of the time. Permanent failures thus delay neither the rest of the list nor the approved versions.
 */
const retryUnscanned = async (scanning: Scanning, tally: Tally): Promise<void> => {
  const isWanted = (status: OwnScanStatus) => status === 'missing' || status === 'error';
  const enoughMs = scanning.deadline.remainingMs() / 2;
  const began = await readRetryPosition();
  let place = began;
  while (isTimeLeft(scanning) && scanning.deadline.remainingMs() > enoughMs) {
    const versions = await listUnscanned(place, batchSize);
    const scanned = await scanBatch(versions, isWanted, { tally, scanning });
    // A finished scan removes its version from the list, so a scanned version on the list is stale.
    const stale = scanned.filter(({ outcome }) => outcome === 'unwanted');
    for (const { version } of stale) await deleteUnscanned(version);
    place = versions.length < batchSize ? undefined : versions.at(-1);
    if (place || began) await saveRetryPosition(place);
    if (!place) return;
  }
};

/** Returns the state of the current round, or of a new round if one is due; undefined otherwise. */
const findNextState = (
  state: RescanState | undefined,
  rules: RescanRules,
): RescanState | undefined => {
  const { everyHours, now } = rules;
  if (state && state.after !== null) return state;
  // Six minutes early is better than one run too late: the schedule that starts the worker is not exact.
  const dueMs = state ? Date.parse(state.began_at) + everyHours * hourMs - hourMs / 10 : 0;
  return now.getTime() >= dueMs
    ? { began_at: now.toISOString(), after: 0, skipped: [] }
    : undefined;
};

/** Returns the delay of the current round in seconds; 0 if it is on time, or no round is running. */
const measureDelay = (state: RescanState | undefined, { everyHours, now }: RescanRules): number => {
  if (!state || state.after === null) return 0;
  const lateMs = now.getTime() - Date.parse(state.began_at) - everyHours * hourMs;
  return Math.max(0, Math.round(lateMs / 1000));
};

/**
 * Scans approved versions again, oldest first, to find newly published vulnerabilities. Runs while time allows; the next
 * run continues from there. A new round starts only after this one is complete.
 */
const rescanApproved = async (
  rules: RescanRules,
  scanning: Scanning,
  tally: Tally,
): Promise<{ done: boolean; late_seconds: number }> => {
  let state = findNextState(await readRescanState(), rules);
  while (state && state.after !== null && isTimeLeft(scanning)) {
    const place = { status: 'approved', sequence: state.after } as const;
    const versions = await listVersionsAfter(place, batchSize);
    const scanned = await scanBatch(versions, () => true, {
      tally,
      scanning: { ...scanning, isRound: true },
    });
    const missed = scanned.filter(({ outcome }) => outcome === 'broken');
    const skipped = [...state.skipped, ...missed.map(({ version }) => toVersionKey(version))];
    state = { ...state, after: versions.at(-1)?.sequence ?? null, skipped };
    // A round that missed too many versions confirms none.
    if (state.after === null && skipped.length <= mostSkipped) await saveRescanRound(state);
    await saveRescanState({ ...state, skipped: skipped.slice(0, mostSkipped + 1) });
  }
  return { done: !state || state.after === null, late_seconds: measureDelay(state, rules) };
};

/**
 * Runs the worker once: first versions without a finished scan, then approved versions.
 * @throws {Error} if OSV.dev is unreachable; at the end of the run, if versions could not be read or written
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
