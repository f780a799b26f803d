import type { PackageId } from '../../domain/packages/package-id.ts';
import {
  addToScanSource,
  type ScanSource,
  toSender,
} from '../../domain/vulnerabilities/scan-source.ts';
import type { Vulnerability } from '../../domain/vulnerabilities/vulnerability.ts';
import { listRecords } from '../decisions/records.ts';
import { countScans, type SavedScan, scanSourceOf, scansDown } from '../scans/scans.ts';

/** More records than any version has. */
const allRecords = 100_000;

/** Scan sources of a version and the latest findings of each, rebuilt from all scans. */
export interface RebuiltSources {
  /** The number of the latest scan. */
  readonly scans: number;
  readonly sources: readonly ScanSource[];
  readonly findings: ReadonlyMap<string, readonly Vulnerability[]>;
}

/** Returns the number of the last dismissed scan of each source. */
const readDismissed = async (id: PackageId): Promise<Map<string, number>> => {
  const records = await listRecords(id, { count: allRecords });
  const dismissed = new Map<string, number>();
  for (const { type, scan } of records) {
    if (type !== 'scan.dismissed' || !scan) continue;
    dismissed.set(scan.source, Math.max(scan.number, dismissed.get(scan.source) ?? 0));
  }
  return dismissed;
};

/** Rebuilds the scan sources of a version from all of its scans, the oldest first. */
export const rebuildSources = async (id: PackageId): Promise<RebuiltSources> => {
  const [scans, dismissed] = await Promise.all([countScans(id), readDismissed(id)]);
  const all: SavedScan[] = [];
  for await (const kept of scansDown(id, scans)) all.push(kept);
  const sources = new Map<string, ScanSource>();
  const findings = new Map<string, readonly Vulnerability[]>();
  for (const kept of all.reverse()) {
    const sourceId = scanSourceOf(kept);
    const { number, result, actor, mayReview } = kept;
    if (number <= (dismissed.get(sourceId) ?? 0)) continue;
    const sender = toSender(actor, mayReview);
    const source = addToScanSource(sources.get(sourceId), { id: sourceId, sender, number, result });
    sources.set(sourceId, source);
    if (source.reason === null) findings.set(sourceId, result.vulnerabilities);
  }
  return { scans, sources: [...sources.values()], findings };
};
