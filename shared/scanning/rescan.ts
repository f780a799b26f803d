import { osvPackage } from '../osv/ecosystems.ts';
import { OsvError } from '../osv/osv-error.ts';
import type { PackageListItem } from '../schemas/package.ts';
import { createCatalogue } from '../store/catalogue/catalogue.ts';
import { keepRescanState, type RescanState, readRescanState } from '../store/rescan-state.ts';
import { type Scanning, scanVersions } from './scan-versions.ts';

/** What one run of the worker did. */
export interface RescanReport {
  readonly scanned: number;
  readonly failed: number;
  /** Whether every approved version has been looked at since the rescan began. */
  readonly done: boolean;
}

interface RescanRules {
  /** From the beginning of one rescan to that of the next. */
  readonly everyHours: number;
  readonly now: Date;
}

const batchSize = 100;

/** A batch is not begun with less time than this: OSV.dev may be slow, and each result is written by itself. */
const reserveMs = 2 * 60_000;

const hourMs = 60 * 60_000;

const listPackages = createCatalogue();

/** Where to go on: in the rescan under way, in a new one when it is time, or nowhere. */
const nextState = (state: RescanState | undefined, rules: RescanRules): RescanState | undefined => {
  const { everyHours, now } = rules;
  if (state && state.offset !== null) return state;
  // A little early is better than an hour late: the clock that wakes the worker is not exact.
  const dueMs = state ? Date.parse(state.began_at) + everyHours * hourMs - hourMs / 4 : 0;
  return now.getTime() >= dueMs ? { began_at: now.toISOString(), offset: 0 } : undefined;
};

/** Scans one batch of approved versions. Those that OSV.dev knows nothing of, such as images, are passed over. */
const scanBatch = async (versions: readonly PackageListItem[], scanning: Scanning) => {
  const covered = versions.filter((version) => osvPackage(version) !== undefined);
  const failed = await scanVersions(covered, scanning);
  if (covered.length > 0 && failed.length === covered.length) {
    throw new OsvError(`None of ${covered.length} versions could be scanned`);
  }
  return { scanned: covered.length - failed.length, failed: failed.length };
};

/**
 * Scans approved versions again, the oldest first, so that what became known since is found. Goes as far as its time
 * allows, and goes on from there the next time. Where OSV.dev cannot be asked at all, it fails and stays where it is.
 */
export const rescan = async (rules: RescanRules, scanning: Scanning): Promise<RescanReport> => {
  let state = nextState(await readRescanState(), rules);
  let [scanned, failed] = [0, 0];
  while (state?.offset != null && scanning.deadline.remainingMs() > reserveMs) {
    const { packages } = await listPackages({
      status: 'approved',
      newestFirst: false,
      limit: batchSize,
      offset: state.offset,
    });
    const batch = await scanBatch(packages, scanning);
    scanned += batch.scanned;
    failed += batch.failed;
    const offset = packages.length < batchSize ? null : state.offset + packages.length;
    state = { ...state, offset };
    await keepRescanState(state);
  }
  return { scanned, failed, done: state?.offset == null };
};
