import type { Deadline } from '../deadline.ts';
import { RegistryError } from '../domain/errors.ts';
import type { PackageId } from '../domain/package-id.ts';
import type { ScanPolicy } from '../domain/scans/judge.ts';
import {
  type ScanResult,
  type ScanStatus,
  toErrorScan,
  toScanResult,
} from '../domain/scans/scan-result.ts';
import { ownTool as tool } from '../domain/scans/scanned-by-itself.ts';
import { runInParallel } from '../in-parallel.ts';
import { logEvent } from '../log.ts';
import type { OsvClient, VersionScan } from '../osv/osv-client.ts';
import { OsvUnreachableError } from '../osv/osv-error.ts';
import { findNumberedScan, keepScanAfter, type ScannedVersion } from '../store/scans/scans.ts';

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

/** Says that the version could not be looked at, once, however often it fails: the list has it tried again. */
const keepFailure = async (
  latest: ScannedVersion,
  reason: string,
  deadline: Deadline,
): Promise<void> => {
  const { ecosystem, name, version } = latest.id;
  logEvent('warn', 'scan_failed', { ecosystem, name, version, reason });
  if (latest.status === 'error') return;
  const result = toErrorScan(latest.id, { tool, reason }, new Date());
  await keepScanAfter(latest, result, { deadline });
};

/** The result without what is there for reading only. */
const dropProse = (result: ScanResult): ScanResult => ({
  ...result,
  vulnerabilities: result.vulnerabilities.map((one) => ({ ...one, summary: '', references: [] })),
});

/** Keeps what came of one scan, unless somebody else scanned the version in the meantime. */
const keepOutcome = async (
  latest: ScannedVersion,
  scan: VersionScan,
  { policy, deadline }: Scanning,
): Promise<Outcome> => {
  if ('error' in scan) {
    await keepFailure(latest, scan.error.message, deadline);
    return scan.error instanceof OsvUnreachableError ? 'unreachable' : 'unreadable';
  }
  const finished = { tools: [tool], findings: scan.findings };
  const result = toScanResult(latest.id, finished, { policy, now: new Date() });
  try {
    await keepScanAfter(latest, result, { deadline });
  } catch (error) {
    // More than one scan can hold: what matters of it is kept.
    if (!(error instanceof RegistryError)) throw error;
    await keepScanAfter(latest, dropProse(result), { deadline });
  }
  return 'told';
};

/** One version that cannot be written must not keep the others from being so. */
const tryToKeep = async (
  latest: ScannedVersion,
  scan: VersionScan,
  scanning: Scanning,
): Promise<Outcome> => {
  try {
    return await keepOutcome(latest, scan, scanning);
  } catch (error) {
    const { ecosystem, name, version } = latest.id;
    logEvent('error', 'scan_not_kept', { ecosystem, name, version, error });
    const reason = 'The result of the scan could not be kept.';
    await keepFailure(latest, reason, scanning.deadline).catch(() => undefined);
    return 'broken';
  }
};

/** What is known of a version's scans; undefined where they cannot be read, which must not stop the others. */
const findLatest = async (id: PackageId): Promise<ScannedVersion | undefined> => {
  try {
    const { number, scan } = await findNumberedScan(id);
    return { id, number, status: scan?.status };
  } catch (error) {
    const { ecosystem, name, version } = id;
    logEvent('error', 'scan_not_read', { ecosystem, name, version, error });
    return undefined;
  }
};

/** Scans those of the versions whose latest scan asks for it, and keeps each result, a failed attempt as an error. */
export const scanVersions = async <T extends PackageId>(
  versions: readonly T[],
  isWanted: (status: ScanStatus | undefined) => boolean,
  scanning: Scanning,
): Promise<Scanned<T>[]> => {
  const outcomes = new Map<T, Outcome>();
  const found = await runInParallel(versions, parallelCalls, async (version) => ({
    version,
    latest: await findLatest(version),
  }));
  const wanted = found.flatMap(({ version, latest }) => {
    if (latest && isWanted(latest.status)) return [{ version, latest }];
    outcomes.set(version, latest ? 'unwanted' : 'broken');
    return [];
  });
  const scans =
    wanted.length > 0 ? await scanning.osv.scanVersions(wanted.map(({ version }) => version)) : [];
  const pairs = wanted.flatMap((one, at) => {
    const scan = scans[at];
    return scan ? [{ ...one, scan }] : [];
  });
  await runInParallel(pairs, parallelCalls, async ({ version, latest, scan }) => {
    outcomes.set(version, await tryToKeep(latest, scan, scanning));
  });
  return versions.map((version) => ({ version, outcome: outcomes.get(version) ?? 'broken' }));
};
