import type { PackageId } from '../../domain/packages/package-id.ts';
import {
  addToScanSource,
  type ScanSource,
  toSender,
} from '../../domain/vulnerabilities/scan-source.ts';
import type { Vulnerability } from '../../domain/vulnerabilities/vulnerability.ts';
import { listRecords } from '../decisions/records.ts';
import { countScans, type SavedScan, scanSourceOf, scansDown } from '../scans/scans.ts';

/** More than any version has records. */
const allRecords = 100_000;

/** The sources of a version as its scans say, and what each found last. */
export interface RebuiltSlots {
  readonly scans: number;
  readonly sources: readonly ScanSource[];
  readonly findings: ReadonlyMap<string, readonly Vulnerability[]>;
}

/** By slot, the number of the last of its scans that count no more. */
const readRetired = async (id: PackageId): Promise<Map<string, number>> => {
  const records = await listRecords(id, { count: allRecords });
  const retired = new Map<string, number>();
  for (const { type, scan } of records) {
    if (type !== 'scan.retired' || !scan) continue;
    retired.set(scan.slot, Math.max(scan.number, retired.get(scan.slot) ?? 0));
  }
  return retired;
};

/** Goes through all scans of a version, the oldest first, as they came. */
export const rebuildSlots = async (id: PackageId): Promise<RebuiltSlots> => {
  const [scans, retired] = await Promise.all([countScans(id), readRetired(id)]);
  const all: SavedScan[] = [];
  for await (const kept of scansDown(id, scans)) all.push(kept);
  const sources = new Map<string, ScanSource>();
  const findings = new Map<string, readonly Vulnerability[]>();
  for (const kept of all.reverse()) {
    const slotId = scanSourceOf(kept);
    const { number, result, actor, mayReview } = kept;
    if (number <= (retired.get(slotId) ?? 0)) continue;
    const sender = toSender(actor, mayReview);
    const slot = addToScanSource(sources.get(slotId), { id: slotId, sender, number, result });
    sources.set(slotId, slot);
    if (slot.reason === null) findings.set(slotId, result.vulnerabilities);
  }
  return { scans, sources: [...sources.values()], findings };
};
