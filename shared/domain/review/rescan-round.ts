import { minuteMs } from '../../util/duration.ts';
import { type PackageId, toVersionKey } from '../packages/package-id.ts';
import { findResultTime, isOwn, type ScanSource } from '../vulnerabilities/scan-source.ts';
import type { Status } from './status.ts';

/** Complete rescan of all approved versions. It stands for a confirmation of each, so that no news costs no write. */
export interface RescanRound {
  /** Start time, ISO 8601. */
  readonly began_at: string;
  /** Keys of versions that it could not scan. */
  readonly skipped: readonly string[];
}

/** Part of a review state that decides if a rescan included the version. */
interface Rescanned {
  readonly status: Status;
  /** Time of the last submission, decision or expiry, ISO 8601. */
  readonly at: string;
  readonly sources: readonly ScanSource[];
}

/**
 * Longest time from the time of a decision to its write, in milliseconds: that of one run of a worker. A round may miss a
 * version that is decided so shortly before it.
 */
const decidingMs = 15 * minuteMs;

/**
 * Returns the scan sources of a version, with the start of the last complete rescan as the time at which the registry's own
 * scan was confirmed. A version that was not approved by then, or could not be scanned, keeps the earlier time.
 */
export const confirmByRescan = (
  id: PackageId,
  { status, at, sources }: Rescanned,
  round: RescanRound | undefined,
): readonly ScanSource[] => {
  if (!round || status !== 'approved') return sources;
  if (Date.parse(at) + decidingMs > Date.parse(round.began_at)) return sources;
  if (round.skipped.includes(toVersionKey(id))) return sources;
  return sources.map((source) =>
    isOwn(source) && source.reason === null && (findResultTime(source) ?? '~') < round.began_at
      ? { ...source, confirmed_at: round.began_at }
      : source,
  );
};
