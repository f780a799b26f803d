import type { ScanResult } from '../../../shared/api/schemas/scan.ts';
import { severities } from '../../../shared/domain/vulnerabilities/severity.ts';
import { formatSeverityCounts } from '../../../shared/domain/vulnerabilities/severity-counts.ts';
import { NegativeResultError } from '../../failure/negative-result-error.ts';
import { describeUnscanned, nameScanned } from '../../presentation/unscanned.ts';

/** The values of `--fail-on`: a severity, or a scan status by the settings of the registry. */
export const thresholds = [...severities, 'warning', 'failed'] as const;

/** The scan statuses that are at least as bad as a threshold. */
const statusesFrom: Readonly<Record<string, readonly ScanResult['status'][]>> = {
  warning: ['warning', 'failed'],
  failed: ['failed'],
};

/** Returns the counters of severities from a threshold on; milder ones are 0. */
const countFrom = ({ severity }: ScanResult, threshold: string): ScanResult['severity'] => {
  const counts = { ...severity };
  const last = severities.map(String).indexOf(threshold);
  for (const milder of severities.slice(last + 1)) counts[milder] = 0;
  return counts;
};

/** Returns why a scan fails at a threshold; undefined if it passes. A scan that did not finish fails. */
const findFault = (scan: ScanResult, threshold: string): string | undefined => {
  const title = nameScanned(scan);
  const unscanned = describeUnscanned(title, scan);
  if (unscanned) return unscanned;
  const statuses = statusesFrom[threshold];
  if (statuses) {
    const found = formatSeverityCounts(scan.severity);
    if (!statuses.includes(scan.status)) return undefined;
    return `${title} has the scan status ${scan.status}${found && ` (${found})`}.`;
  }
  const found = formatSeverityCounts(countFrom(scan, threshold));
  return found ? `${title} has open vulnerabilities: ${found}.` : undefined;
};

/** @throws {NegativeResultError} if a scan fails at a threshold */
export const failOn = (scan: ScanResult, threshold: string): void => {
  const fault = findFault(scan, threshold);
  if (fault) throw new NegativeResultError(fault);
};
