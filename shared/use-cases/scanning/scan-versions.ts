import { RegistryError } from '../../domain/errors.ts';
import type { PackageId } from '../../domain/packages/package-id.ts';
import {
  type ScanResult,
  toErrorScan,
  toScanResult,
} from '../../domain/vulnerabilities/scan-result.ts';
import {
  enoughFailures,
  isOwn,
  type ScanSource,
} from '../../domain/vulnerabilities/scan-source.ts';
import { ownTool } from '../../domain/vulnerabilities/scanned-ecosystems.ts';
import type { ScanPolicy } from '../../domain/vulnerabilities/verdict.ts';
import type { OsvClient, VersionScan } from '../../scanners/osv/osv-client.ts';
import { OsvUnreachableError } from '../../scanners/osv/osv-error.ts';
import {
  EvidenceChangedError,
  type ReviewState,
  readReviewState,
} from '../../storage/reviews/review-state.ts';
import type { Deadline } from '../../util/deadline.ts';
import { runInParallel } from '../../util/in-parallel.ts';
import { logEvent } from '../../util/log.ts';
import { confirmScan, countFailure, isNews, saveOwnScan } from './keep-scan.ts';

/** What asks OSV.dev about versions and keeps what it answers. */
export interface Scanning {
  readonly osv: OsvClient;
  readonly policy: ScanPolicy;
  readonly deadline: Deadline;
}

/**
 * What became of a version: `unwanted` where its latest scan asked for none; `unreachable` where OSV.dev answered nobody,
 * `unreadable` where it had no answer of use about this version, `broken` where the registry itself failed.
 */
export type Outcome = 'told' | 'unwanted' | 'unreachable' | 'unreadable' | 'broken';

/** A version after it was scanned, or not. */
export interface Scanned<T> {
  readonly version: T;
  readonly outcome: Outcome;
}

const parallelCalls = 8;

/** How the registry's own scans of a version stand: `missing` before the first, `error` where the latest broke. */
export type OwnScanStatus = 'missing' | 'error' | 'finished';

/** A version to be scanned, and its head. */
interface Target {
  readonly id: PackageId;
  readonly head: ReviewState;
}

const findOwnSlot = ({ sources }: ReviewState): ScanSource | undefined => sources.find(isOwn);

const findOwnStatus = (head: ReviewState): OwnScanStatus => {
  const slot = findOwnSlot(head);
  if (!slot) return 'missing';
  return slot.reason === null ? 'finished' : 'error';
};

const toContext = ({ policy, deadline }: Scanning) => ({
  now: new Date(),
  policy,
  deadline,
});

/**
 * Says that the version could not be looked at: the first time by a scan, after that by a count, up to as many as anyone
 * waits for. The list has it tried again.
 */
const keepFailure = async (
  { id, head }: Target,
  reason: string,
  scanning: Scanning,
): Promise<void> => {
  const { ecosystem, name, version } = id;
  logEvent('warn', 'scan_failed', { ecosystem, name, version, reason });
  const slot = findOwnSlot(head);
  const context = toContext(scanning);
  if (slot && slot.reason !== null) {
    if (slot.failures < enoughFailures) await countFailure(id, context);
    return;
  }
  await saveOwnScan(id, toErrorScan(id, { tool: ownTool, reason }, context.now), context);
};

/** The result without what is there for reading only. */
const dropProse = (result: ScanResult): ScanResult => ({
  ...result,
  vulnerabilities: result.vulnerabilities.map((one) => ({ ...one, summary: '', references: [] })),
});

/** Notes that nothing became known since; whoever changes the head at this moment may keep it from being noted. */
const confirm = async ({ id, head }: Target, slot: ScanSource): Promise<void> => {
  try {
    await confirmScan(id, head, slot, new Date());
  } catch (error) {
    if (!(error instanceof EvidenceChangedError)) throw error;
  }
};

/** Keeps what came of one scan. Where that is what is known, no scan is added. */
const keepOutcome = async (
  target: Target,
  scan: VersionScan,
  scanning: Scanning,
): Promise<Outcome> => {
  if ('error' in scan) {
    await keepFailure(target, scan.error.message, scanning);
    return scan.error instanceof OsvUnreachableError ? 'unreachable' : 'unreadable';
  }
  const { id, head } = target;
  const context = toContext(scanning);
  const result = toScanResult(id, { tools: [ownTool], findings: scan.findings }, context);
  const slot = findOwnSlot(head);
  // What is more than one scan can hold was kept without its prose.
  if (slot && !(isNews(slot, result) && isNews(slot, dropProse(result)))) {
    await confirm(target, slot);
    return 'told';
  }
  try {
    await saveOwnScan(id, result, context);
  } catch (error) {
    // More than one scan can hold: what matters of it is kept.
    if (!(error instanceof RegistryError) || error.code !== 'validation_failed') throw error;
    await saveOwnScan(id, dropProse(result), context);
  }
  return 'told';
};

/** One version that cannot be written must not keep the others from being so. */
const tryToKeep = async (
  target: Target,
  scan: VersionScan,
  scanning: Scanning,
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

/** The head of a version; undefined where it cannot be read, which must not stop the others. */
const findReviewState = async (id: PackageId): Promise<ReviewState | undefined> => {
  try {
    return await readReviewState(id);
  } catch (error) {
    const { ecosystem, name, version } = id;
    logEvent('error', 'head_not_read', { ecosystem, name, version, error });
    return undefined;
  }
};

/** Scans those of the versions whose scans by the registry itself ask for it, and keeps each result, a failed attempt as an error. */
export const scanVersions = async <T extends PackageId>(
  versions: readonly T[],
  isWanted: (status: OwnScanStatus) => boolean,
  scanning: Scanning,
): Promise<Scanned<T>[]> => {
  const outcomes = new Map<T, Outcome>();
  const found = await runInParallel(versions, parallelCalls, async (version) => ({
    version,
    head: await findReviewState(version),
  }));
  const wanted = found.flatMap(({ version, head }) => {
    if (head && isWanted(findOwnStatus(head))) return [{ version, target: { id: version, head } }];
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
