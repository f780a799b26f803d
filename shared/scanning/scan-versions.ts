import type { Deadline } from '../deadline.ts';
import { RegistryError } from '../domain/errors.ts';
import type { PackageId } from '../domain/package-id.ts';
import {
  type ScanPolicy,
  type ScanResult,
  type ScanStatus,
  toErrorScan,
  toScanResult,
} from '../domain/scans/scan-result.ts';
import { logEvent } from '../log.ts';
import { runInParallel } from '../osv/in-parallel.ts';
import type { OsvClient, VersionScan } from '../osv/osv-client.ts';
import { OsvUnreachableError } from '../osv/osv-error.ts';
import { findNumberedScan, keepScanAfter } from '../store/scans/scans.ts';
import { forgetUnscanned, noteUnscanned } from '../store/scans/unscanned.ts';

/** What asks OSV.dev about versions and keeps what it answers. */
export interface Scanning {
  readonly osv: OsvClient;
  readonly policy: ScanPolicy;
  readonly deadline: Deadline;
}

/** A version before it is scanned: what its latest scan said, if any, and the number of that one. */
interface Candidate {
  readonly id: PackageId;
  readonly number: number;
  readonly status: ScanStatus | undefined;
}

/** What became of a scan: `unreachable` where OSV.dev could not be asked, `unreadable` where its answer is of no use. */
type Outcome = 'told' | 'unreachable' | 'unreadable';

/** The versions that could not be scanned, those that were not wanted, and whether OSV.dev could be asked about any at all. */
export interface Unscanned<T> {
  readonly failed: readonly T[];
  readonly unwanted: readonly T[];
  readonly isUnreachable: boolean;
}

const tool = 'osv.dev';
const parallelCalls = 8;

const findCandidate = async (id: PackageId): Promise<Candidate> => {
  const { number, scan } = await findNumberedScan(id);
  return { id, number, status: scan?.status };
};

/** Says that the version could not be looked at, and has it tried again; once, however often it fails. */
const keepFailure = async (
  { id, number, status }: Candidate,
  reason: string,
  deadline: Deadline,
): Promise<void> => {
  const { ecosystem, name, version } = id;
  logEvent('warn', 'scan_failed', { ecosystem, name, version, reason });
  if (status === 'error') return;
  const remember = () => [noteUnscanned(id)];
  await keepScanAfter({ id, number }, toErrorScan(id, { tool, reason }, new Date()), {
    deadline,
    remember,
  });
};

/** The result without what is there for reading only. */
const dropProse = (result: ScanResult): ScanResult => ({
  ...result,
  vulnerabilities: result.vulnerabilities.map((one) => ({ ...one, summary: '', references: [] })),
});

/** Keeps what came of one scan, unless somebody else scanned the version in the meantime. */
const keepOutcome = async (
  candidate: Candidate,
  scan: VersionScan,
  { policy, deadline }: Scanning,
): Promise<Outcome> => {
  if ('error' in scan) {
    await keepFailure(candidate, scan.error.message, deadline);
    return scan.error instanceof OsvUnreachableError ? 'unreachable' : 'unreadable';
  }
  const finished = { tools: [tool], findings: scan.findings };
  const result = toScanResult(candidate.id, finished, { policy, now: new Date() });
  try {
    await keepScanAfter(candidate, result, { deadline });
  } catch (error) {
    // More than one scan can hold: what matters of it is kept.
    if (!(error instanceof RegistryError)) throw error;
    await keepScanAfter(candidate, dropProse(result), { deadline });
  }
  if (candidate.status === 'error') await forgetUnscanned(candidate.id);
  return 'told';
};

/** One version that cannot be written must not keep the others from being so. */
const tryToKeep = async (
  candidate: Candidate,
  scan: VersionScan,
  scanning: Scanning,
): Promise<Outcome> => {
  try {
    return await keepOutcome(candidate, scan, scanning);
  } catch (error) {
    logEvent('error', 'scan_not_kept', { error });
    const reason = 'The result of the scan could not be kept.';
    await keepFailure(candidate, reason, scanning.deadline).catch(() => undefined);
    return 'unreadable';
  }
};

/** Scans those of the versions whose latest scan asks for it, and keeps each result, a failed attempt as an error. */
export const scanVersions = async <T extends PackageId>(
  versions: readonly T[],
  isWanted: (status: ScanStatus | undefined) => boolean,
  scanning: Scanning,
): Promise<Unscanned<T>> => {
  const all = await runInParallel(versions, parallelCalls, findCandidate);
  const wanted = all.filter(({ status }) => isWanted(status));
  const scans =
    wanted.length > 0 ? await scanning.osv.scanVersions(wanted.map(({ id }) => id)) : [];
  const pairs = wanted.flatMap((candidate, at) => {
    const scan = scans[at];
    return scan ? [{ candidate, scan }] : [];
  });
  const outcomes = await runInParallel(pairs, parallelCalls, ({ candidate, scan }) =>
    tryToKeep(candidate, scan, scanning),
  );
  const failed = new Set(wanted.flatMap(({ id }, at) => (outcomes[at] === 'told' ? [] : [id])));
  return {
    failed: versions.filter((version) => failed.has(version)),
    unwanted: versions.filter((_, at) => !isWanted(all[at]?.status)),
    isUnreachable: outcomes.length > 0 && outcomes.every((outcome) => outcome === 'unreachable'),
  };
};
