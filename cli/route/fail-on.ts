import type { ScanResult } from '../../shared/api/schemas/scan.ts';
import { severities } from '../../shared/domain/vulnerabilities/severity.ts';
import { formatCounts } from './scan-picture.ts';
import { describeUnscanned } from './unscanned.ts';

/** From where on a version is not good enough: a severity, or what the registry's settings make of all. */
const thresholds = [...severities, 'warning', 'failed'] as const;

/** The statuses that are as bad as one. */
const statusesFrom: Readonly<Record<string, readonly ScanResult['status'][]>> = {
  warning: ['warning', 'failed'],
  failed: ['failed'],
};

/** What counts of a version and is at least that severe. */
const countFrom = ({ severity }: ScanResult, threshold: string): ScanResult['severity'] => {
  const counts = { ...severity };
  const last = severities.map(String).indexOf(threshold);
  for (const milder of severities.slice(last + 1)) counts[milder] = 0;
  return counts;
};

/** Why a version is not good enough; undefined if it is. What nobody knows of is not. */
const findFault = (scan: ScanResult, threshold: string): string | undefined => {
  const title = `${scan.package} ${scan.version}`;
  const unscanned = describeUnscanned(title, scan);
  if (unscanned) return unscanned;
  const statuses = statusesFrom[threshold];
  if (statuses) {
    const found = formatCounts(scan.severity);
    const told = `${title} has the status ${scan.status}${found && ` (${found})`}.`;
    return statuses.includes(scan.status) ? told : undefined;
  }
  const found = formatCounts(countFrom(scan, threshold));
  return found ? `${title} has vulnerabilities that count: ${found}.` : undefined;
};

export const failOn = {
  flag: '--fail-on <what>',
  choices: thresholds,
  meaning:
    'end with 1 where something that counts is at least that severe (unrated: anything), or the status is that bad, or nothing is known',
  findFault,
};
