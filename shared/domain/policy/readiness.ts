import type { FactsSummary } from '../facts/summary.ts';
import type { Ecosystem } from '../packages/ecosystem.ts';
import { enoughFailures, isOwn, type Slot } from '../vulnerabilities/scan-source.ts';
import { isScannedByItself } from '../vulnerabilities/scanned-ecosystems.ts';

/** What a version may wait for: to be found out before rules look at it, or to be old enough for one that would match. */
export const waits = ['facts', 'scan', 'age'] as const;
export type Wait = (typeof waits)[number];

/** What the registry finds out by itself, by its settings. */
export interface OwnInquiries {
  readonly isScanning: boolean;
  readonly isCollectingFacts: boolean;
}

/** Whether the registry's own scan has finished once, or will not for all that anyone can tell. */
const isScanOver = (slots: readonly Slot[]): boolean => {
  const own = slots.find(isOwn);
  return Boolean(own?.finished) || (own?.failures ?? 0) >= enoughFailures;
};

/** What the registry is still to find out of a version by itself; nothing where rules may look at it. */
export const listAwaited = (
  {
    ecosystem,
    facts,
    slots,
  }: {
    readonly ecosystem: Ecosystem;
    readonly facts: FactsSummary | null;
    readonly slots: readonly Slot[];
  },
  { isScanning, isCollectingFacts }: OwnInquiries,
): Wait[] => {
  const scans = isScanning && isScannedByItself({ ecosystem });
  return [
    ...(isCollectingFacts && facts === null ? (['facts'] as const) : []),
    ...(scans && !isScanOver(slots) ? (['scan'] as const) : []),
  ];
};
