import { RegistryError } from '../../domain/errors.ts';
import { type PackageId, toVersionKey } from '../../domain/packages/package-id.ts';
import {
  type ScanResult,
  toErrorScan,
  toScanResult,
} from '../../domain/vulnerabilities/scan-result.ts';
import {
  enoughFailures,
  findResultTime,
  isOwn,
  type ScanSource,
} from '../../domain/vulnerabilities/scan-source.ts';
import { ownTool } from '../../domain/vulnerabilities/scanned-ecosystems.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { OsvClient, VersionScan } from '../../scanners/osv/osv-client.ts';
import { OsvUnreachableError } from '../../scanners/osv/osv-error.ts';
import { findReviewStates, type ReviewState } from '../../storage/reviews/review-state.ts';
import { EvidenceChangedError } from '../../storage/reviews/review-state-writes.ts';
import type { Deadline } from '../../util/deadline.ts';
import { minuteMs } from '../../util/duration.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import { confirmScan, countFailure, isNews, saveOwnScan } from './keep-scan.ts';

/** Dependencies and settings of the registry's own scans. */
export interface Scanning {
  readonly osv: OsvClient;
  readonly policy: ScanPolicy;
  readonly deadline: Deadline;
}

/** Dependencies and settings of scans of many versions. */
export interface ScanningOptions extends Scanning {
  /**
   * True for a rescan of all approved versions. It reads review states as of some seconds ago. A version without news stays as
   * it is, because the complete rescan confirms all versions at once.
   */
  readonly isRound?: boolean;
}

/**
 * Scan outcome of a version. `saved`: result saved or confirmed. `unwanted`: no scan needed. `unreachable`: OSV.dev did not
 * answer. `unreadable`: no usable answer about this version. `broken`: the registry itself failed.
 */
export type Outcome = 'saved' | 'unwanted' | 'unreachable' | 'unreadable' | 'broken';

/** A version and the outcome of its scan. */
export interface Scanned<T> {
  readonly version: T;
  readonly outcome: Outcome;
}

const parallelCalls = 8;

/**
 * Status of the registry's own scan of a version: `missing` before the first one, `error` after a failed one, `finished` within
 * 5 minutes after a finished one, and `old` later.
 */
export type OwnScanStatus = 'missing' | 'error' | 'finished' | 'old';

const freshMs = 5 * minuteMs;

/** A version to be scanned, and its review state. */
interface Target {
  readonly id: PackageId;
  readonly head: ReviewState;
}

const findOwnSource = ({ sources }: ReviewState): ScanSource | undefined => sources.find(isOwn);

const findOwnStatus = (head: ReviewState): OwnScanStatus => {
  const source = findOwnSource(head);
  if (!source) return 'missing';
  if (source.reason !== null) return 'error';
  const at = findResultTime(source) ?? '';
  return Date.now() - Date.parse(at) < freshMs ? 'finished' : 'old';
};

const toContext = ({ policy, deadline }: Scanning) => ({
  now: new Date(),
  policy,
  deadline,
});

/**
 * Saves a failed scan: the first time as a scan with an error, later as a count up to a limit. The list of unscanned
 * versions schedules the retry.
 */
const keepFailure = async (
  { id, head }: Target,
  reason: string,
  scanning: Scanning,
): Promise<void> => {
  const { ecosystem, name, version } = id;
  logEvent('warn', 'scan_failed', { ecosystem, name, version, reason });
  const source = findOwnSource(head);
  const context = toContext(scanning);
  if (source && source.reason !== null) {
    if (source.failures < enoughFailures) await countFailure(id, context);
    return;
  }
  await saveOwnScan(id, toErrorScan(id, { tool: ownTool, reason }, context.now), context);
};

/** Returns the result without summaries and references, which serve human readers only. */
const dropProse = (result: ScanResult): ScanResult => ({
  ...result,
  vulnerabilities: result.vulnerabilities.map((one) => ({ ...one, summary: '', references: [] })),
});

/** Saves that a scan found nothing new. Dropped after a concurrent change of the review state. */
const confirm = async ({ id, head }: Target, source: ScanSource): Promise<void> => {
  try {
    await confirmScan(id, head, source, new Date());
  } catch (error) {
    if (!(error instanceof EvidenceChangedError)) throw error;
  }
};

/** Saves the result of one scan, and returns its outcome. Known findings need no new scan. */
const keepOutcome = async (
  target: Target,
  scan: VersionScan,
  scanning: ScanningOptions,
): Promise<Outcome> => {
  if ('error' in scan) {
    await keepFailure(target, scan.error.message, scanning);
    return scan.error instanceof OsvUnreachableError ? 'unreachable' : 'unreadable';
  }
  const { id, head } = target;
  const context = toContext(scanning);
  const result = toScanResult(id, { tools: [ownTool], findings: scan.findings }, context);
  const source = findOwnSource(head);
  // An oversized result was saved without prose, so both forms count as known.
  if (source && !(isNews(source, result) && isNews(source, dropProse(result)))) {
    if (!scanning.isRound) await confirm(target, source);
    return 'saved';
  }
  try {
    await saveOwnScan(id, result, context);
  } catch (error) {
    // The result exceeds the size of one scan: save it without prose.
    if (!(error instanceof RegistryError) || error.code !== 'validation_failed') throw error;
    await saveOwnScan(id, dropProse(result), context);
  }
  return 'saved';
};

/** Saves the result of one scan. An error is logged and returned as `broken`, so that it does not affect other versions. */
const tryToKeep = async (
  target: Target,
  scan: VersionScan,
  scanning: ScanningOptions,
): Promise<Outcome> => {
  try {
    return await keepOutcome(target, scan, scanning);
  } catch (error) {
    const { ecosystem, name, version } = target.id;
    logEvent('error', 'scan_not_kept', { ecosystem, name, version, error });
    const reason = 'The result of the scan could not be kept.';
    await keepFailure(target, reason, scanning).catch(() => undefined);
    return 'broken';
  }
};

const logUnreadable = ({ ecosystem, name, version }: PackageId): void =>
  logEvent('error', 'head_not_read', { ecosystem, name, version });

/** Scans the versions whose own-scan status `isWanted` accepts, and saves each result. A failed scan is saved as an error. */
export const scanVersions = async <T extends PackageId>(
  versions: readonly T[],
  isWanted: (status: OwnScanStatus) => boolean,
  scanning: ScanningOptions,
): Promise<Scanned<T>[]> => {
  const outcomes = new Map<T, Outcome>();
  const heads = await findReviewStates(versions, { eventual: scanning.isRound ?? false });
  const wanted = versions.flatMap((version) => {
    const head = heads.get(toVersionKey(version));
    if (head && isWanted(findOwnStatus(head))) return [{ version, target: { id: version, head } }];
    if (!head) logUnreadable(version);
    outcomes.set(version, head ? 'unwanted' : 'broken');
    return [];
  });
  const scans =
    wanted.length > 0 ? await scanning.osv.scanVersions(wanted.map(({ version }) => version)) : [];
  const pairs = wanted.flatMap((one, at) => {
    const scan = scans[at];
    return scan ? [{ ...one, scan }] : [];
  });
  await runInParallel(pairs, parallelCalls, async ({ version, target, scan }) => {
    outcomes.set(version, await tryToKeep(target, scan, scanning));
  });
  return versions.map((version) => ({ version, outcome: outcomes.get(version) ?? 'broken' }));
};
