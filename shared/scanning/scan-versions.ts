import type { PackageId } from '../domain/package-id.ts';
import { errorScan, type ScanPolicy, toScanResult } from '../domain/scans/scan-result.ts';
import { logEvent } from '../log.ts';
import { inParallel } from '../osv/in-parallel.ts';
import type { OsvClient, VersionScan } from '../osv/osv-client.ts';
import { findLatestScan, keepScan } from '../store/scans.ts';
import type { Deadline } from '../store/transact.ts';

/** What asks OSV.dev about versions and keeps what it answers. */
export interface Scanning {
  readonly osv: OsvClient;
  readonly policy: ScanPolicy;
  readonly deadline: Deadline;
}

const tool = 'osv.dev';
const parallelWrites = 8;

/** Says that the version could not be looked at; once, however often it is tried. */
const keepError = async (id: PackageId, reason: string, deadline: Deadline): Promise<void> => {
  const latest = await findLatestScan(id);
  if (latest?.status === 'error') return;
  await keepScan(id, errorScan(id, { tool, reason }, new Date()), { deadline });
};

/** Keeps what came of one scan; resolves to whether OSV.dev could tell. */
const keepOutcome = async (
  outcome: VersionScan,
  { policy, deadline }: Scanning,
): Promise<boolean> => {
  const { id } = outcome;
  if ('error' in outcome) {
    const { ecosystem, name, version } = id;
    const reason = outcome.error.message;
    logEvent('warn', 'scan_failed', { ecosystem, name, version, reason });
    await keepError(id, reason, deadline);
    return false;
  }
  const scan = { tools: [tool], findings: outcome.findings };
  await keepScan(id, toScanResult(id, scan, { policy, now: new Date() }), { deadline });
  return true;
};

/** Scans these versions and keeps each result, a failed attempt as an error. Resolves to the versions that failed. */
export const scanVersions = async <T extends PackageId>(
  versions: readonly T[],
  scanning: Scanning,
): Promise<T[]> => {
  const outcomes = await scanning.osv.scanVersions(versions);
  const told = await inParallel(outcomes, parallelWrites, (one) => keepOutcome(one, scanning));
  return versions.filter((_, at) => !told[at]);
};
