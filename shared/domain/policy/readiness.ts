import type { Ecosystem } from '../../ecosystems/ecosystem.ts';
import { hourMs } from '../../util/duration.ts';
import type { FactsSummary } from '../facts/summary.ts';
import {
  enoughFailures,
  findResultTime,
  isOwn,
  type ScanSource,
} from '../vulnerabilities/scan-source.ts';
import { isScannedAutomatically } from '../vulnerabilities/scanned-ecosystems.ts';

/** What a version may wait for: upstream metadata, a scan, or the age that a rule requires. */
export const waits = ['facts', 'scan', 'age'] as const;
export type Wait = (typeof waits)[number];

/** An automatic check that a version may wait for. */
export type AwaitedCheck = Exclude<Wait, 'age'>;

/** Automatic checks of the registry that the settings enable. */
export interface OwnInquiries {
  readonly isScanning: boolean;
  readonly isCollectingFacts: boolean;
}

/** True if the registry's own scan has finished, or failed too often to wait for it. */
const isScanOver = (sources: readonly ScanSource[]): boolean => {
  const own = sources.find(isOwn);
  return Boolean(own?.finished) || (own?.failures ?? 0) >= enoughFailures;
};

/** What is known of a version before its review. */
interface Known {
  readonly ecosystem: Ecosystem;
  readonly facts: FactsSummary | null;
  readonly sources: readonly ScanSource[];
}

/** Returns the automatic checks that a version still waits for. Empty if rules may evaluate it. */
export const listAwaited = (
  { ecosystem, facts, sources }: Known,
  { isScanning, isCollectingFacts }: OwnInquiries,
): AwaitedCheck[] => {
  const scans = isScanning && isScannedAutomatically({ ecosystem });
  return [
    ...(isCollectingFacts && facts === null ? (['facts'] as const) : []),
    ...(scans && !isScanOver(sources) ? (['scan'] as const) : []),
  ];
};

/** Maximum age of the evidence of an approval by a rule. */
const freshMs = hourMs;

/**
 * Returns the automatic checks whose last result is too old for an approval by a rule. A version can be removed upstream, or
 * become known as malware, while it waits. A failed scan leaves the earlier result, which stays as old as it is. Without any
 * result, nothing is outdated.
 */
export const listOutdated = (
  { ecosystem, facts, sources }: Known,
  { isScanning, isCollectingFacts }: OwnInquiries,
  now: Date,
): AwaitedCheck[] => {
  const isOld = (at: string): boolean => now.getTime() - Date.parse(at) > freshMs;
  const scanned = findResultTime(sources.find(isOwn));
  const scans = isScanning && isScannedAutomatically({ ecosystem });
  return [
    ...(isCollectingFacts && facts && isOld(facts.checked_at) ? (['facts'] as const) : []),
    ...(scans && scanned !== undefined && isOld(scanned) ? (['scan'] as const) : []),
  ];
};

/**
 * Returns the automatic checks that rules wait for before they decide on a version. Empty after a decision, also an
 * expired one: from then on, people decide.
 */
export const listAwaitedByRules = (
  { revision, ...known }: Known & { readonly revision: number },
  inquiries: OwnInquiries,
): AwaitedCheck[] => (revision === 0 ? listAwaited(known, inquiries) : []);
