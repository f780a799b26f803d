import type { PackageId } from '../domain/package-id.ts';
import type { ScanStatus } from '../domain/scans/scan-result.ts';
import { toOsvPackage } from '../osv/ecosystems.ts';
import { listVersionsAfter } from '../store/catalogue/versions-after.ts';
import { keepRescanState, type RescanState, readRescanState } from '../store/scans/rescan-state.ts';
import { forgetUnscanned, listUnscanned } from '../store/scans/unscanned.ts';
import { type Scanning, scanVersions } from './scan-versions.ts';

/** What one run of the worker did. */
export interface RescanReport {
  readonly scanned: number;
  readonly failed: number;
  /** Whether every approved version has been looked at since the round began. */
  readonly done: boolean;
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

/** Scans a batch. Where OSV.dev cannot be asked at all, it ends the run: the next one begins at the same place. */
const scanBatch = async (
  versions: readonly PackageId[],
  isWanted: (status: ScanStatus | undefined) => boolean,
  scanning: Scanning,
) => {
  // OSV.dev knows nothing of images.
  const covered = versions.filter((version) => toOsvPackage(version) !== undefined);
  const { failed, unwanted, isUnreachable } = await scanVersions(covered, isWanted, scanning);
  if (isUnreachable) throw new Error('OSV.dev cannot be asked; the next run tries again');
  return { scanned: covered.length - failed.length, failed: failed.length, unwanted };
};

/** Tries again what could not be scanned, whatever its status. */
const retryUnscanned = async (scanning: Scanning): Promise<void> => {
  let last: PackageId | undefined;
  while (isTimeLeft(scanning)) {
    const versions = await listUnscanned(last, batchSize);
    last = versions.at(-1);
    if (!last) return;
    const { unwanted } = await scanBatch(versions, (status) => status === 'error', scanning);
    // Somebody uploaded a scan since.
    for (const version of unwanted) await forgetUnscanned(version);
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

/**
 * Scans approved versions again, the oldest first, so that what became known since is found. Goes as far as its time
 * allows, and goes on from there the next time; the next round begins when this one is through.
 */
const rescanApproved = async (rules: RescanRules, scanning: Scanning): Promise<RescanReport> => {
  let state = findNextState(await readRescanState(), rules);
  let [scanned, failed] = [0, 0];
  while (state && state.after !== null && isTimeLeft(scanning)) {
    const place = { status: 'approved', ordinal: state.after } as const;
    const versions = await listVersionsAfter(place, batchSize);
    const batch = await scanBatch(versions, () => true, scanning);
    scanned += batch.scanned;
    failed += batch.failed;
    state = { ...state, after: versions.at(-1)?.ordinal ?? null };
    await keepRescanState(state);
  }
  return { scanned, failed, done: !state || state.after === null };
};

/** One run of the worker: first what could not be scanned before, then the approved versions. */
export const rescan = async (rules: RescanRules, scanning: Scanning): Promise<RescanReport> => {
  await retryUnscanned(scanning);
  return rescanApproved(rules, scanning);
};
